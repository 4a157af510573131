package org.freshet.buffer;

/**
 * Finds either of two bytes, or any other byte. {@link ByteSearch} tests eight bytes per step with it.
 *
 * <p>Immutable; any thread may use it.
 */
final class ByteFinder implements ChannelBufferIndexFinder {
    private static final long EACH_LOW_BIT = 0x0101_0101_0101_0101L;
    private static final long EACH_HIGH_BIT = 0x8080_8080_8080_8080L;

    private final byte one;
    private final byte other;
    /** True to find the two bytes, false to find all others. */
    private final boolean wanted;

    private ByteFinder(int one, int other, boolean wanted) {
        this.one = (byte) one;
        this.other = (byte) other;
        this.wanted = wanted;
    }

    static ByteFinder only(int value) {
        return new ByteFinder(value, value, true);
    }

    static ByteFinder either(int one, int other) {
        return new ByteFinder(one, other, true);
    }

    static ByteFinder allBut(int one, int other) {
        return new ByteFinder(one, other, false);
    }

    @Override
    public boolean find(ChannelBuffer buffer, int guessedIndex) {
        return finds(buffer.getByte(guessedIndex));
    }

    /** Whether it finds {@link #one()} only. */
    boolean isForOneByte() {
        return wanted && one == other;
    }

    byte one() {
        return one;
    }

    boolean finds(byte value) {
        return (value == one || value == other) == wanted;
    }

    /** Returns a word with the high bit set in each byte position that matches. */
    long hits(long word) {
        long either = zeros(word ^ (one & 0xff) * EACH_LOW_BIT) | zeros(word ^ (other & 0xff) * EACH_LOW_BIT);
        return wanted ? either : either ^ EACH_HIGH_BIT;
    }

    /** The high bit of each byte that is 0. The sum leaves that bit clear and never carries into the next byte. */
    private static long zeros(long word) {
        long notZero = (word & ~EACH_HIGH_BIT) + ~EACH_HIGH_BIT | word;
        return ~notZero & EACH_HIGH_BIT;
    }
}
