package org.freshet.testkit.matrix;

import org.freshet.handler.stream.ChunkedInput;

/** An input whose chunks are messages, and which counts how often it is closed. One thread at a time. */
final class CountedInput implements ChunkedInput, Stage.Releasable {
    private final Kind kind;
    private final Ledger.Entry entry;
    private final int messageBytes;
    private int given;
    private int closes;

    CountedInput(Kind kind, Ledger.Entry entry, int messageBytes) {
        this.kind = kind;
        this.entry = entry;
        this.messageBytes = messageBytes;
    }

    @Override
    public boolean hasNextChunk() {
        return given < entry.messages;
    }

    @Override
    public Object nextChunk() {
        return kind.message(Ledger.content(entry.thread, entry.number + given++, messageBytes));
    }

    @Override
    public boolean isEndOfInput() {
        return !hasNextChunk();
    }

    @Override
    public void close() {
        closes++;
    }

    @Override
    public int releases() {
        return closes;
    }

    @Override
    public String toString() {
        return "an input of " + entry.messages + " messages, of which " + given + " were read,";
    }
}
