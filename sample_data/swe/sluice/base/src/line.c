#include "sluice.h"

int sluice_line(struct sluice *ring, char *text, size_t size)
{
    size_t length = 0, kept = 0;
    unsigned char byte;

    while (length < ring->count && ring->bytes[(ring->start + length) % SLUICE_SIZE] != '\n')
        length++;
    if (length == ring->count)
        return -1;
    while (sluice_take(ring, &byte, 1) && byte != '\n')
        if (kept + 1 < size)
            text[kept++] = (char)byte;
    if (size > 0)
        text[kept] = '\0';
    return (int)kept;
}
