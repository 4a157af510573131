package org.freshet.handler.codec.http.websocketx;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A coder kept by a connection between frames. One thread at a time takes it and puts it back. Any thread may release it; a
 * coder that is in use at that moment ends when it is put back. So each coder is ended exactly once, however the connection
 * ends.
 *
 * <pre>
 *   NONE --take--&gt; TAKEN &lt;--take/put--&gt; (kept)
 *
 *   any --release--&gt; RELEASED, where nothing is kept any more
 * </pre>
 */
final class OwnCoder<C> {
    private enum State {
        NONE,
        TAKEN,
        RELEASED
    }

    /** A {@link State}, or the kept coder. */
    private final AtomicReference<Object> state = new AtomicReference<>(State.NONE);

    private final Consumer<C> end;

    OwnCoder(Consumer<C> end) {
        this.end = end;
    }

    /** Null if none is kept: the caller then makes one. {@link #put} or {@link #drop} must follow either way. */
    C take() {
        Object kept = state.get();
        if (kept == State.RELEASED || !state.compareAndSet(kept, State.TAKEN)) {
            return null;
        }
        return coder(kept);
    }

    /** Keeps a coder for the next {@link #take}, or ends it if this object was released. */
    void put(C coder) {
        if (!state.compareAndSet(State.TAKEN, coder)) {
            end.accept(coder);
        }
    }

    /** Ends a coder instead of keeping it. */
    void drop(C coder) {
        state.compareAndSet(State.TAKEN, State.NONE);
        end.accept(coder);
    }

    void release() {
        C kept = coder(state.getAndSet(State.RELEASED));
        if (kept != null) {
            end.accept(kept);
        }
    }

    @SuppressWarnings("unchecked") // anything but a State is a coder
    private C coder(Object kept) {
        return kept instanceof State ? null : (C) kept;
    }
}
