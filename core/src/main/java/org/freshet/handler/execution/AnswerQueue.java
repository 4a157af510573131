package org.freshet.handler.execution;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.execution.PendingAnswer.Handling;
import org.freshet.handler.execution.PendingAnswer.Part;
import org.freshet.internal.handler.Chain;
import org.freshet.internal.time.Alarm;

/**
 * The state of one connection's requests, in the order received. After each change, {@link #advance} decides what to
 * do: which events to send, which requests to start, which time-outs to cancel, and whether to read.
 * {@link OrderedAnswers} carries the decision out.
 *
 * <p>Guarded by the lock of {@link OrderedAnswers}. Nothing here calls user code.
 */
final class AnswerQueue {
    enum ReadChange {
        NONE,
        SUSPEND,
        RESUME
    }

    /** The actions that follow from a change. */
    record Decision(ReadChange readChange, boolean cancels, boolean sends, boolean starts) {}

    /** The fate of an event sent by code that holds a handle of an answer. */
    enum Outcome {
        /** It is a part of the answer, or is sent on its own. */
        ACCEPTED,

        /** The answer has ended. */
        LATE
    }

    private enum State {
        ACTIVE,

        /** The handler has left the pipeline, so it is no longer notified when the channel becomes writable. */
        HANDLER_REMOVED,

        CHANNEL_CLOSED
    }

    private final int maxInFlight;
    private final long maxBytes;
    private final BooleanSupplier isWritable;

    /** All requests whose answers are not completely sent. The first one's answer is being sent. */
    private final Deque<PendingAnswer> answers = new ArrayDeque<>();

    /** The requests among {@code answers} not yet given to the executor. */
    private final Queue<PendingAnswer> waiting = new ArrayDeque<>();

    /** Messages that other code wrote while an answer was partly sent. */
    private final Chain<Part> afterAnswer = new Chain<>();

    private final Chain<Part> toSend = new Chain<>();
    private final Queue<PendingAnswer> toStart = new ArrayDeque<>();
    private final Queue<Alarm> toCancel = new ArrayDeque<>();

    /** Requests given to the executor whose handlers have not returned or whose answers have not been sent. */
    private int inFlight;

    /** Bytes of the queued requests and their waiting parts. */
    private long bytes;

    private boolean suspendsReading;
    private State state = State.ACTIVE;

    AnswerQueue(int maxInFlight, long maxBytes, BooleanSupplier isWritable) {
        this.maxInFlight = maxInFlight;
        this.maxBytes = maxBytes;
        this.isWritable = isWritable;
    }

    // ---- changes ----

    /** Adds a request. A refused one keeps its place in the order but is not run. */
    void add(PendingAnswer answer, boolean isRefused) {
        answers.add(answer);
        bytes += answer.requestBytes;
        if (isRefused) {
            answer.handling = Handling.SKIPPED;
        } else {
            waiting.add(answer);
        }
    }

    /** Takes an event sent by code that holds a handle of an answer. */
    Outcome addPart(PipelinedAnswer handle, Part part) {
        PendingAnswer answer = handle.pending();
        if (answer.accepts(handle)) {
            answer.add(part);
            bytes += part.bytes;
        } else if (state != State.CHANNEL_CLOSED && part.event instanceof MessageEvent) {
            return Outcome.LATE;
        } else {
            toSend.add(part);
        }
        return Outcome.ACCEPTED;
    }

    /** Takes an event that belongs to no answer. Requests to close do not wait. */
    void addOther(Part other) {
        boolean isInAnswer = !answers.isEmpty() && answers.peek().partsSent;
        (isInAnswer && other.event instanceof MessageEvent ? afterAnswer : toSend).add(other);
    }

    /** The request's handlers have returned, or the executor has refused it. */
    void onReturned(PendingAnswer answer) {
        answer.handling = Handling.RETURNED;
        if (answer.removed) {
            inFlight--;
        }
    }

    /** Keeps a failed request from starting. */
    void skip(PendingAnswer answer) {
        if (answer.handling == Handling.WAITING) {
            answer.handling = Handling.SKIPPED;
            waiting.remove(answer);
        }
    }

    void end(PendingAnswer answer) {
        if (!answer.ended && answer.timeout != null) {
            toCancel.add(answer.timeout);
        }
        answer.ended = true;
    }

    /** Removes the parts that have not been sent. */
    Chain<Part> dropParts(PendingAnswer answer) {
        Chain<Part> dropped = new Chain<>();
        for (Part part = answer.unsentParts().poll();
                part != null;
                part = answer.unsentParts().poll()) {
            bytes -= part.bytes;
            dropped.add(part);
        }
        return dropped;
    }

    /** Returns the first request that failed with {@code cause} and whose answer has not ended, or null. */
    PendingAnswer failedBy(Throwable cause) {
        for (PendingAnswer answer : answers) {
            if (answer.failure == cause && !answer.ended) {
                return answer;
            }
        }
        return null;
    }

    /** Returns whether this answer is the one being sent. */
    boolean isFirst(PendingAnswer answer) {
        return answers.peek() == answer;
    }

    /** Returns whether no answer is due and all have been sent. */
    boolean isEmpty() {
        return answers.isEmpty() && toSend.isEmpty();
    }

    void onHandlerRemoved() {
        if (state == State.ACTIVE) {
            state = State.HANDLER_REMOVED;
        }
    }

    /** Adds everything that will not be sent to {@code unsent}. */
    void onChannelClosed(Chain<Part> unsent) {
        state = State.CHANNEL_CLOSED;
        for (PendingAnswer answer : answers) {
            unsent.addAll(answer.unsentParts());
        }
        unsent.addAll(toSend);
        unsent.addAll(afterAnswer);
        bytes = 0;
        answers.forEach(this::end);
        answers.forEach(this::remove);
        answers.clear();
    }

    // ---- actions that follow from a change ----

    /** Called at the end of each change. */
    Decision advance() {
        sendReadyParts();
        while (!waiting.isEmpty() && mayStart()) {
            PendingAnswer answer = waiting.remove();
            answer.handling = Handling.RUNNING;
            inFlight++;
            toStart.add(answer);
        }
        return new Decision(changeReading(), !toCancel.isEmpty(), !toSend.isEmpty(), !toStart.isEmpty());
    }

    private ReadChange changeReading() {
        boolean suspendedBefore = suspendsReading;
        suspendsReading = shouldSuspendReading();
        if (suspendsReading == suspendedBefore) {
            return ReadChange.NONE;
        }
        return suspendsReading ? ReadChange.SUSPEND : ReadChange.RESUME;
    }

    /** Returns null when nothing is left. */
    Part nextToSend() {
        return toSend.poll();
    }

    /** Returns null when nothing is left. */
    PendingAnswer nextToStart() {
        return toStart.poll();
    }

    /** Returns null when nothing is left. */
    Alarm nextToCancel() {
        return toCancel.poll();
    }

    /** Sends what is ready and removes complete answers. */
    private void sendReadyParts() {
        for (PendingAnswer first = answers.peek(); first != null; first = answers.peek()) {
            for (Part part = first.nextPart(); part != null; part = first.nextPart()) {
                bytes -= part.bytes;
                toSend.add(part);
            }
            if (!first.ended) {
                return;
            }
            answers.remove();
            bytes -= first.requestBytes;
            remove(first);
            toSend.addAll(afterAnswer);
        }
    }

    private void remove(PendingAnswer answer) {
        answer.removed = true;
        if (answer.handling == Handling.RETURNED) {
            inFlight--;
        }
    }

    private boolean mayStart() {
        if (inFlight >= maxInFlight) {
            return false;
        }
        boolean hasMemory = bytes < maxBytes || inFlight == 0;
        return state != State.ACTIVE || hasMemory && isWritable.getAsBoolean();
    }

    private boolean shouldSuspendReading() {
        if (state != State.ACTIVE) {
            return false;
        }
        if (inFlight >= maxInFlight || bytes >= maxBytes || !waiting.isEmpty() || !isWritable.getAsBoolean()) {
            return true;
        }
        boolean isLow = inFlight <= maxInFlight / 4 * 3 && bytes <= maxBytes / 2;
        return suspendsReading && !isLow;
    }
}
