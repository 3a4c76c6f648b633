#include "sluice.h"

size_t sluice_put(struct sluice *ring, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    size_t done = 0;

    while (done < size && ring->count < SLUICE_SIZE) {
        ring->bytes[(ring->start + ring->count) % SLUICE_SIZE] = from[done++];
        ring->count++;
    }
    return done;
}

size_t sluice_take(struct sluice *ring, void *bytes, size_t size)
{
    unsigned char *to = bytes;
    size_t done = 0;

    while (done < size && ring->count > 0) {
        to[done++] = ring->bytes[ring->start++];
        ring->count--;
    }
    return done;
}
