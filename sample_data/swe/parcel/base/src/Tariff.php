<?php

declare(strict_types=1);

namespace Parcel;

use OutOfRangeException;

/** Prices in cents by the weight in grams up to which they hold. */
final class Tariff
{
    /** @param array<int, int> $prices */
    public function __construct(private array $prices)
    {
    }

    public function price(int $grams): int
    {
        foreach ($this->prices as $limit => $cents) {
            if ($grams < $limit) {
                return $cents;
            }
        }
        throw new OutOfRangeException("nothing heavier than {$this->heaviest()} g is carried");
    }

    public function heaviest(): int
    {
        return max(array_keys($this->prices));
    }
}
