package example.ferry;

/** What a crossing costs, in cents. */
public final class Fare {
    private Fare() {}

    /** The fare of a vehicle with so many people in it. */
    public static int of(int length, int people) {
        if (length <= 0 || people < 0) {
            throw new IllegalArgumentException("no such vehicle");
        }
        int vehicle;
        if (length <= 2) {
            vehicle = 300;
        } else if (length <= 5) {
            vehicle = 1200;
        } else if (length <= 8) {
            vehicle = 2000;
        } else {
            vehicle = 2000 + (length - 8) * 250;
        }
        return vehicle + people * 250;
    }
}
