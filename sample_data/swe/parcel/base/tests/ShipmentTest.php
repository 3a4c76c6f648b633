<?php

declare(strict_types=1);

namespace Parcel\Tests;

use Parcel\Shipment;
use Parcel\Tariff;
use PHPUnit\Framework\TestCase;

final class ShipmentTest extends TestCase
{
    public function testParcelsAreAddedUp(): void
    {
        $shipment = new Shipment(new Tariff([2000 => 450, 10000 => 900]));
        self::assertSame(1350, $shipment->add(100)->add(3000)->total());
    }

    public function testNothingCostsNothing(): void
    {
        self::assertSame(0, (new Shipment(new Tariff([2000 => 450])))->total());
    }
}
