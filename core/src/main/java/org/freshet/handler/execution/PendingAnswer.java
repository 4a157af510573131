package org.freshet.handler.execution;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.handler.Chain;
import org.freshet.internal.time.Alarm;

/**
 * One request of a connection, with the unsent parts of its answer. All mutable fields are guarded by the lock of
 * {@link OrderedAnswers}.
 */
final class PendingAnswer {
    enum Handling {
        /** Not yet given to the executor. */
        WAITING,

        /** The executor is running the request, or will. */
        RUNNING,

        /** The handlers have returned, or the executor has refused it. */
        RETURNED,

        /** The request failed before it was given to the executor. */
        SKIPPED
    }

    /**
     * A part of an answer: a message, or a request to close in its place. Allocated first, so that moving it needs no
     * memory.
     */
    static final class Part extends Chain.Link {
        final ChannelEvent event;
        final int bytes;

        /** Whether it belongs to an answer. Otherwise it only waits for one. */
        final boolean isOfAnswer;

        Part(ChannelEvent event, int bytes, boolean isOfAnswer) {
            this.event = event;
            this.bytes = bytes;
            this.isOfAnswer = isOfAnswer;
        }
    }

    private final OrderedAnswers answers;
    private final MessageEvent request;
    final int requestBytes;

    Handling handling = Handling.WAITING;

    /** The answer does not end when the handlers return. */
    boolean deferred;

    /** Nothing can be added to the answer any more. */
    boolean ended;

    /** The answer is completely sent, or the channel is closed: the queue no longer holds it. */
    boolean removed;

    /** The parts to send once all earlier answers are complete. */
    private final Chain<Part> parts = new Chain<>();

    /** The number of parts written, including those already sent. */
    int partsWritten;

    boolean partsSent;

    /** The handle that may add to the answer. It is replaced when the code that has it must not add any more. */
    private PipelinedAnswer handle = new PipelinedAnswer(this);

    /** The failure that kept the request from being answered normally, or null. */
    Throwable failure;

    /**
     * The value of {@link #partsWritten} at the failure. If it has grown since, a handler has answered after the
     * failure.
     */
    int partsBeforeFailure;

    /** Null if the timer refused. Set before other threads see this object. */
    Alarm timeout;

    PendingAnswer(OrderedAnswers answers, MessageEvent request, int requestBytes) {
        this.answers = answers;
        this.request = request;
        this.requestBytes = requestBytes;
    }

    OrderedAnswers answers() {
        return answers;
    }

    MessageEvent request() {
        return request;
    }

    PipelinedAnswer handle() {
        return handle;
    }

    /** Replaces the handle. The previous one can no longer add to the answer. */
    PipelinedAnswer renewHandle() {
        handle = new PipelinedAnswer(this);
        return handle;
    }

    boolean accepts(PipelinedAnswer asking) {
        return !ended && asking == handle;
    }

    /** Keeps the answer from ending when the handlers return. Returns false if it has ended. */
    boolean defer(PipelinedAnswer asking) {
        boolean accepted = accepts(asking);
        deferred |= accepted;
        return accepted;
    }

    void add(Part part) {
        parts.add(part);
        partsWritten++;
    }

    /** Returns null if no part is waiting. */
    Part nextPart() {
        Part part = parts.poll();
        partsSent |= part != null;
        return part;
    }

    /** Returns the parts that have not been sent. */
    Chain<Part> unsentParts() {
        return parts;
    }

    void failBy(Throwable cause) {
        failure = cause;
        partsBeforeFailure = partsWritten;
    }

    boolean wasAnsweredAfterFailure() {
        return partsWritten > partsBeforeFailure;
    }
}
