#include "check.h"
#include "sluice.h"

int main(void)
{
    struct sluice ring = {0};
    char text[8];

    sluice_put(&ring, "one\ntwo", 7);
    CHECK(sluice_line(&ring, text, sizeof text) == 3 && strcmp(text, "one") == 0);
    CHECK(sluice_line(&ring, text, sizeof text) == -1);
    sluice_put(&ring, "\n", 1);
    CHECK(sluice_line(&ring, text, sizeof text) == 3 && strcmp(text, "two") == 0);
    return 0;
}
