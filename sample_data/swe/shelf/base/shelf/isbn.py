"""International standard book numbers: checking and converting them."""


class InvalidISBN(ValueError):
    """The text is not an ISBN."""


def compact(text):
    """The number without hyphens and spaces."""
    return text.replace("-", "").replace(" ", "").upper()


def check_digit_10(digits):
    """The check digit of nine digits: 0-9 or X."""
    total = sum(weight * int(digit) for weight, digit in zip(range(10, 1, -1), digits))
    return "0123456789X"[-total % 11]


def check_digit_13(digits):
    """The check digit of twelve digits."""
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return str(10 - total % 10)


def is_valid(text):
    """Whether the text is an ISBN-10 or an ISBN-13 with the right check digit."""
    number = compact(text)
    body, check = number[:-1], number[-1:]
    if not body.isdigit():
        return False
    if len(number) == 10:
        return check_digit_10(body) == check
    if len(number) == 13:
        return check_digit_13(body) == check
    return False


def to_isbn13(text):
    """The thirteen-digit form, without hyphens."""
    number = compact(text)
    if not is_valid(number):
        raise InvalidISBN(f"not an ISBN: {text!r}")
    if len(number) == 13:
        return number
    body = "978" + number[:9]
    return body + check_digit_13(body)
