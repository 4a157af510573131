package org.freshet.handler.execution;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.util.Timeout;

/**
 * One request's place in the line of a connection, with what there is of its answer. All fields that change are guarded by
 * the line's lock.
 */
final class AnswerSlot {
    /** What has become of the request. */
    enum Handling {
        /** The executor has not been asked yet. */
        WAITING,

        /** The executor has it, and its handlers have not returned. */
        RUNNING,

        /** The handlers have returned, or the executor refused. */
        RETURNED,

        /** The executor is not going to be asked. */
        SKIPPED
    }

    /** Something for the transport: a part of an answer, or a request to close in its place. */
    record Part(ChannelEvent event, int bytes) {}

    private final AnswerLine line;
    private final MessageEvent request;
    final int requestBytes;

    Handling handling = Handling.WAITING;

    /** The answer is not to end when the handlers return. */
    boolean deferred;

    /** Nothing can be added to the answer any more. */
    boolean ended;

    /** All of the answer was sent, or the channel is closed: this slot is not in the line any more. */
    boolean left;

    /** What is to be sent when it is this slot's turn. */
    private final Queue<Part> parts = new ArrayDeque<>(2);

    /** How many parts there were, sent ones included. */
    int partsWritten;

    boolean partsSent;

    /** The one that may add to the answer; replaced when those who had it so far may not any longer. */
    private PipelinedAnswer answer = new PipelinedAnswer(this);

    /** Why the request could not be answered as intended; null while it could. */
    Throwable failure;

    /** {@link #partsWritten} at that time: if there is more, somebody answered nevertheless. */
    int partsBeforeFailure;

    /** Null if the timer refused. Set before other threads know the slot. */
    Timeout timeout;

    AnswerSlot(AnswerLine line, MessageEvent request, int requestBytes) {
        this.line = line;
        this.request = request;
        this.requestBytes = requestBytes;
    }

    AnswerLine line() {
        return line;
    }

    MessageEvent request() {
        return request;
    }

    PipelinedAnswer answer() {
        return answer;
    }

    /** Whoever holds the answer's object so far cannot add to it any longer. */
    PipelinedAnswer renewAnswer() {
        answer = new PipelinedAnswer(this);
        return answer;
    }

    boolean accepts(PipelinedAnswer asking) {
        return !ended && asking == answer;
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

    List<Part> takeParts() {
        List<Part> taken = new ArrayList<>(parts);
        parts.clear();
        return taken;
    }

    void failBy(Throwable cause) {
        failure = cause;
        partsBeforeFailure = partsWritten;
    }

    boolean wasAnsweredAfterFailure() {
        return partsWritten > partsBeforeFailure;
    }
}
