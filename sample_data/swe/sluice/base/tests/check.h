/* Says where a test failed, and ends it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(claim) \
    do { \
        if (!(claim)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #claim); \
            exit(1); \
        } \
    } while (0)
