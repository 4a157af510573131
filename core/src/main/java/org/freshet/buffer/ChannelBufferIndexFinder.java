package org.freshet.buffer;

/** Says whether the byte at an index is the one a search looks for. */
public interface ChannelBufferIndexFinder {
    ChannelBufferIndexFinder NUL = (buffer, index) -> buffer.getByte(index) == 0;
    ChannelBufferIndexFinder NOT_NUL = (buffer, index) -> buffer.getByte(index) != 0;
    ChannelBufferIndexFinder CR = (buffer, index) -> buffer.getByte(index) == '\r';
    ChannelBufferIndexFinder NOT_CR = (buffer, index) -> buffer.getByte(index) != '\r';
    ChannelBufferIndexFinder LF = (buffer, index) -> buffer.getByte(index) == '\n';
    ChannelBufferIndexFinder NOT_LF = (buffer, index) -> buffer.getByte(index) != '\n';
    ChannelBufferIndexFinder CRLF = (buffer, index) -> CR.find(buffer, index) || LF.find(buffer, index);
    ChannelBufferIndexFinder NOT_CRLF = (buffer, index) -> !CRLF.find(buffer, index);
    ChannelBufferIndexFinder LINEAR_WHITESPACE =
            (buffer, index) -> buffer.getByte(index) == ' ' || buffer.getByte(index) == '\t';
    ChannelBufferIndexFinder NOT_LINEAR_WHITESPACE = (buffer, index) -> !LINEAR_WHITESPACE.find(buffer, index);

    boolean find(ChannelBuffer buffer, int guessedIndex);
}
