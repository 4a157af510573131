package org.freshet.handler.execution;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.handler.Chain;
import org.freshet.internal.time.Alarm;

/**
 * One request of a connection, with the parts of its answer that were not sent yet. All fields that change are guarded by the
 * lock of {@link OrderedAnswers}.
 */
final class PendingAnswer {
    enum Handling {
        /** The executor has not been asked yet. */
        WAITING,

        /** The executor runs the request, or is going to. */
        RUNNING,

        /** The handlers have returned, or the executor refused. */
        RETURNED,

        /** The request failed before the executor was asked. */
        SKIPPED
    }

    /** A part of an answer: a message, or a request to close in its place. It is made first, so that it moves without memory. */
    static final class Part extends Chain.Link {
        final ChannelEvent event;
        final int bytes;

        /** Whether it belongs to an answer; otherwise it only waits behind one. */
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

    /** The answer is not to end when the handlers return. */
    boolean deferred;

    /** Nothing can be added to the answer any more. */
    boolean ended;

    /** All of the answer was sent, or the channel is closed: the queue does not hold it any more. */
    boolean removed;

    /** The parts to send when all answers before are complete. */
    private final Chain<Part> parts = new Chain<>();

    /** How many parts there were, sent ones included. */
    int partsWritten;

    boolean partsSent;

    /** The handle that may add to the answer; replaced when the code that has it must not add any longer. */
    private PipelinedAnswer handle = new PipelinedAnswer(this);

    /** Why the request could not be answered as intended; null while it could. */
    Throwable failure;

    /** {@link #partsWritten} at that time. If it has grown since, a handler has answered after the failure. */
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

    /** Replaces the handle; the previous one cannot add to the answer any longer. */
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

    /** Null if there is none. */
    Part nextPart() {
        Part part = parts.poll();
        partsSent |= part != null;
        return part;
    }

    /** Those that were not sent. */
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
