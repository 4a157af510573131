package org.freshet.buffer;

/**
 * Says whether the byte at an index is the one a search looks for.
 *
 * <p>The constants are stateless and look at that one byte only.
 */
public interface ChannelBufferIndexFinder {
    /** Finds a 0. */
    ChannelBufferIndexFinder NUL = (buffer, index) -> buffer.getByte(index) == 0;

    /** Finds anything but a 0. */
    ChannelBufferIndexFinder NOT_NUL = (buffer, index) -> buffer.getByte(index) != 0;

    /** Finds a carriage return. */
    ChannelBufferIndexFinder CR = (buffer, index) -> buffer.getByte(index) == '\r';

    /** Finds anything but a carriage return. */
    ChannelBufferIndexFinder NOT_CR = (buffer, index) -> buffer.getByte(index) != '\r';

    /** Finds a line feed. */
    ChannelBufferIndexFinder LF = (buffer, index) -> buffer.getByte(index) == '\n';

    /** Finds anything but a line feed. */
    ChannelBufferIndexFinder NOT_LF = (buffer, index) -> buffer.getByte(index) != '\n';

    /** Finds a carriage return or a line feed, whichever comes first. */
    ChannelBufferIndexFinder CRLF = (buffer, index) -> {
        byte value = buffer.getByte(index);
        return value == '\r' || value == '\n';
    };

    /** Finds anything but a carriage return or a line feed. */
    ChannelBufferIndexFinder NOT_CRLF = (buffer, index) -> !CRLF.find(buffer, index);

    /** Finds a space or a tab. */
    ChannelBufferIndexFinder LINEAR_WHITESPACE = (buffer, index) -> {
        byte value = buffer.getByte(index);
        return value == ' ' || value == '\t';
    };

    /** Finds anything but a space or a tab. */
    ChannelBufferIndexFinder NOT_LINEAR_WHITESPACE = (buffer, index) -> !LINEAR_WHITESPACE.find(buffer, index);

    /**
     * Whether the search ends here.
     *
     * @param guessedIndex lies within the capacity of {@code buffer}
     */
    boolean find(ChannelBuffer buffer, int guessedIndex);
}
