package example.ferry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class FareTest {
    @Test
    void aCarWithTwoPeople() {
        assertEquals(1700, Fare.of(5, 2));
    }

    @Test
    void aLorryPaysForEveryMetre() {
        assertEquals(2750, Fare.of(10, 1));
    }

    @Test
    void nothingHasNoFare() {
        assertThrows(IllegalArgumentException.class, () -> Fare.of(0, 1));
    }
}
