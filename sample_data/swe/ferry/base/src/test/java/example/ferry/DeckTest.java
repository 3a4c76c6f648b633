package example.ferry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DeckTest {
    @Test
    void vehiclesFillTheLanesInOrder() {
        Deck deck = new Deck(2, 20);
        assertTrue(deck.load(12));
        assertTrue(deck.load(12));
        assertFalse(deck.load(12));
        assertEquals(16, deck.free());
    }

    @Test
    void aShortOneStillFits() {
        Deck deck = new Deck(1, 20);
        assertTrue(deck.load(12));
        assertTrue(deck.load(5));
    }
}
