/* A ring buffer of bytes, and lines read from it. */
#ifndef SLUICE_H
#define SLUICE_H

#include <stddef.h>

#define SLUICE_SIZE 16

struct sluice {
    unsigned char bytes[SLUICE_SIZE];
    size_t start;
    size_t count;
};

/* Puts bytes in as far as there is room; returns how many went in. */
size_t sluice_put(struct sluice *ring, const void *bytes, size_t size);

/* Takes bytes out; returns how many there were. */
size_t sluice_take(struct sluice *ring, void *bytes, size_t size);

/* Takes a whole line out, without its end, as text of at most size - 1 characters: what is longer is cut off.
   Returns its length, or -1 when no whole line is there. */
int sluice_line(struct sluice *ring, char *text, size_t size);

#endif
