package org.freshet.handler.codec.http.websocketx;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A coder that a connection keeps between frames. One thread at a time takes it and puts it back. Any thread may release it;
 * if it is taken then, it is ended when it is put back. So each coder is ended once, however the connection ends.
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

    /** A {@link State}, or the coder that is kept. */
    private final AtomicReference<Object> state = new AtomicReference<>(State.NONE);

    private final Consumer<C> end;

    OwnCoder(Consumer<C> end) {
        this.end = end;
    }

    /** Null if none is kept: then the caller makes one. {@link #put} or {@link #drop} must follow in any case. */
    C take() {
        Object kept = state.get();
        if (kept == State.RELEASED || !state.compareAndSet(kept, State.TAKEN)) {
            return null;
        }
        return coder(kept);
    }

    /** Keeps a coder. */
    void put(C coder) {
        if (!state.compareAndSet(State.TAKEN, coder)) {
            end.accept(coder);
        }
    }

    /** Ends a coder that was taken, or made. */
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

    @SuppressWarnings("unchecked") // what is not a state was put
    private C coder(Object kept) {
        return kept instanceof State ? null : (C) kept;
    }
}
