<?php

declare(strict_types=1);

namespace Parcel;

/** Several parcels that are sent together. */
final class Shipment
{
    /** @var list<int> */
    private array $weights = [];

    public function __construct(private Tariff $tariff)
    {
    }

    public function add(int $grams): self
    {
        $this->weights[] = $grams;
        return $this;
    }

    public function total(): int
    {
        return array_sum(array_map($this->tariff->price(...), $this->weights));
    }
}
