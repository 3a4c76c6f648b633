#include "morse.h"

#include <string.h>

int main(void)
{
    char out[64];

    if (morse_text("SOS", out, sizeof out) != 11 || strcmp(out, "... --- ...") != 0)
        return 1;
    if (morse_text("A B", out, sizeof out) < 0 || strcmp(out, ".- / -...") != 0)
        return 1;
    return morse_text("SOS", out, 5) != -1;
}
