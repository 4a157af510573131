package org.freshet.internal;

/** A pipeline that knows which events its handlers act on. */
public interface SelectivePipeline {
    /**
     * Whether a handler may act on such an event. Also true without handlers, because the event is then reported as discarded. Any thread
     * may call this; the answer is valid at the time of the call.
     */
    boolean mayBeSeen(EventKind kind);

    /** Whether a handler of any pipeline may act on such an event. If not, the event need not be created. */
    static boolean mayBeSeen(Object pipeline, EventKind kind) {
        return !(pipeline instanceof SelectivePipeline selective) || selective.mayBeSeen(kind);
    }
}
