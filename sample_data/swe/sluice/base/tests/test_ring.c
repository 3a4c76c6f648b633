#include "check.h"
#include "sluice.h"

int main(void)
{
    struct sluice ring = {0};
    char out[32];

    CHECK(sluice_take(&ring, out, sizeof out) == 0);
    CHECK(sluice_put(&ring, "abcdef", 6) == 6);
    CHECK(sluice_take(&ring, out, 4) == 4 && memcmp(out, "abcd", 4) == 0);
    CHECK(sluice_put(&ring, "0123456789abcdef", 16) == 14);
    return 0;
}
