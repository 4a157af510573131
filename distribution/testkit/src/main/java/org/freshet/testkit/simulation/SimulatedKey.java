package org.freshet.testkit.simulation;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectionKey;

/** The registration of a socket with a {@link SimulatedSelector}. */
final class SimulatedKey extends AbstractSelectionKey {
    /** A socket, as seen by its selector. */
    interface Watched {
        /** Returns the operations that would do something now. */
        int readiness();

        /** The id in the trace. */
        int id();

        /** Called when the last of its selectors has forgotten the socket. */
        void onDeregistered();
    }

    private final SimulatedSelector selector;
    private final SelectableChannel socket;
    private int interest;
    private int ready;

    SimulatedKey(SimulatedSelector selector, SelectableChannel socket) {
        this.selector = selector;
        this.socket = socket;
    }

    private Watched watched() {
        return (Watched) socket;
    }

    int id() {
        return watched().id();
    }

    /** Returns the ready operations among those waited for. */
    int readiness() {
        return watched().readiness() & interest;
    }

    boolean isForReading() {
        return (interest & OP_READ) != 0;
    }

    void onDeregistered() {
        watched().onDeregistered();
    }

    void setReady(int ops) {
        ready = ops;
    }

    @Override
    public SelectableChannel channel() {
        return socket;
    }

    @Override
    public SimulatedSelector selector() {
        return selector;
    }

    @Override
    public int interestOps() {
        requireValid();
        return interest;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        requireValid();
        if ((ops & ~socket.validOps()) != 0) {
            throw new IllegalArgumentException("not valid operations for " + socket + ": " + ops);
        }
        if (interest != ops) {
            selector.onProgress();
            selector.baton().note("interest", id(), ops);
        }
        interest = ops;
        selector.baton().pass();
        return this;
    }

    void register(int ops) {
        interest = ops;
    }

    @Override
    public int readyOps() {
        requireValid();
        return ready;
    }

    private void requireValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }
}
