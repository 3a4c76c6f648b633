package example.ferry;

import java.util.ArrayList;
import java.util.List;

/** The deck of a ferry, in lanes of equal length. */
public final class Deck {
    private final int metres;
    private final List<Integer> used = new ArrayList<>();

    public Deck(int lanes, int metres) {
        this.metres = metres;
        for (int lane = 0; lane < lanes; lane++) {
            used.add(0);
        }
    }

    /** Puts a vehicle into the first lane with room for it; returns whether there was one. */
    public boolean load(int length) {
        for (int lane = 0; lane < used.size(); lane++) {
            if (used.get(lane) + length < metres) {
                used.set(lane, used.get(lane) + length);
                return true;
            }
        }
        return false;
    }

    /** The metres that are free in all lanes together. */
    public int free() {
        return used.stream().mapToInt(taken -> metres - taken).sum();
    }
}
