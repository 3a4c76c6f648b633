#include "morse.h"

#include <ctype.h>
#include <string.h>

static const char *const letters[] = {
    ".-",   "-...", "-.-.", "-..",  ".",   "..-.", "--.",  "....", "..",   ".---", "-.-",  ".-..", "--",
    "-.",   "---",  ".--.", "--.-", ".-.", "...",  "-",    "..-",  "...-", ".--",  "-..-", "-.--", "--..",
};

static const char *const digits[] = {
    "-----", ".----", "..---", "...--", "....-", ".....", "-....", "--...", "---..", "----.",
};

const char *morse_of(char letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return letters[letter - 'A'];
    if (letter >= '0' && letter <= '9')
        return digits[letter - '0'];
    return NULL;
}

int morse_text(const char *text, char *out, size_t size)
{
    size_t used = 0;

    for (; *text; text++) {
        const char *code = *text == ' ' ? "/" : morse_of(*text);

        if (code == NULL || used + strlen(code) + 2 > size)
            return -1;
        if (used > 0)
            out[used++] = ' ';
        strcpy(out + used, code);
        used += strlen(code);
    }
    if (used < size)
        out[used] = '\0';
    return (int)used;
}
