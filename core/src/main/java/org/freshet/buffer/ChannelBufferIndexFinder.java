package org.freshet.buffer;

/**
 * Decides whether the byte at an index is the one a search looks for.
 *
 * <p>The constants are stateless and look at that one byte only. Searches for them take several bytes per step; any
 * other finder is called for each index.
 */
public interface ChannelBufferIndexFinder {
    /** Finds a 0. */
    ChannelBufferIndexFinder NUL = ByteFinder.only(0);

    /** Finds anything but a 0. */
    ChannelBufferIndexFinder NOT_NUL = ByteFinder.allBut(0, 0);

    /** Finds a carriage return. */
    ChannelBufferIndexFinder CR = ByteFinder.only('\r');

    /** Finds anything but a carriage return. */
    ChannelBufferIndexFinder NOT_CR = ByteFinder.allBut('\r', '\r');

    /** Finds a line feed. */
    ChannelBufferIndexFinder LF = ByteFinder.only('\n');

    /** Finds anything but a line feed. */
    ChannelBufferIndexFinder NOT_LF = ByteFinder.allBut('\n', '\n');

    /** Finds a carriage return or a line feed, whichever comes first. */
    ChannelBufferIndexFinder CRLF = ByteFinder.either('\r', '\n');

    /** Finds anything but a carriage return or a line feed. */
    ChannelBufferIndexFinder NOT_CRLF = ByteFinder.allBut('\r', '\n');

    /** Finds a space or a tab. */
    ChannelBufferIndexFinder LINEAR_WHITESPACE = ByteFinder.either(' ', '\t');

    /** Finds anything but a space or a tab. */
    ChannelBufferIndexFinder NOT_LINEAR_WHITESPACE = ByteFinder.allBut(' ', '\t');

    /**
     * Returns whether the search ends at this index.
     *
     * @param guessedIndex within the capacity of {@code buffer}
     */
    boolean find(ChannelBuffer buffer, int guessedIndex);
}
