#ifndef REED_MORSE_H
#define REED_MORSE_H

#include <stddef.h>

/* The code of one letter or digit, NULL when it has none. */
const char *morse_of(char letter);

/* Writes the code of a text into out: letters are parted by a space, words by " / ".
   Returns how many characters there are, or -1 when they do not fit or a sign has no code. */
int morse_text(const char *text, char *out, size_t size);

#endif
