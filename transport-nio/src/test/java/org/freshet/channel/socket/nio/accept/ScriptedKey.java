package org.freshet.channel.socket.nio.accept;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** A key of no selector, at first interested in connections. */
final class ScriptedKey extends SelectionKey {
    private final SelectableChannel socket;
    private int interestOps = OP_ACCEPT;
    private boolean isValid = true;
    private boolean failsNextChange;

    ScriptedKey(SelectableChannel socket) {
        this.socket = socket;
    }

    /** Makes the next change fail as if memory had run out. */
    void failNextChange() {
        failsNextChange = true;
    }

    @Override
    public SelectableChannel channel() {
        return socket;
    }

    @Override
    public Selector selector() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isValid() {
        return isValid;
    }

    @Override
    public void cancel() {
        isValid = false;
    }

    @Override
    public int interestOps() {
        return interestOps;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        if (!isValid) {
            throw new CancelledKeyException();
        }
        if (failsNextChange) {
            failsNextChange = false;
            throw new OutOfMemoryError("thrown on purpose");
        }
        interestOps = ops;
        return this;
    }

    @Override
    public int readyOps() {
        return interestOps;
    }
}
