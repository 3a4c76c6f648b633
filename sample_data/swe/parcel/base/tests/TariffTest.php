<?php

declare(strict_types=1);

namespace Parcel\Tests;

use OutOfRangeException;
use Parcel\Tariff;
use PHPUnit\Framework\TestCase;

final class TariffTest extends TestCase
{
    public function testTheFirstPriceThatHolds(): void
    {
        $tariff = new Tariff([2000 => 450, 10000 => 900]);
        self::assertSame(450, $tariff->price(1500));
        self::assertSame(900, $tariff->price(2001));
    }

    public function testTooHeavy(): void
    {
        $this->expectException(OutOfRangeException::class);
        (new Tariff([2000 => 450]))->price(5000);
    }
}
