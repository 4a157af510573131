package org.freshet.handler.stream;

/** Has no data for the moment. */
public final class PausedInput implements ChunkedInput {
    public boolean isEnded;

    public PausedInput() {}

    @Override
    public boolean hasNextChunk() {
        return false;
    }

    @Override
    public Object nextChunk() {
        return null;
    }

    @Override
    public boolean isEndOfInput() {
        return isEnded;
    }

    @Override
    public void close() {}
}
