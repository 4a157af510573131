package org.freshet.handler.execution;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.DefaultExceptionEvent;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.execution.AnswerSlot.Handling;
import org.freshet.handler.execution.AnswerSlot.Part;
import org.freshet.internal.handler.ReadSuspension;

/**
 * The requests of one connection that are in the works, in the order in which they were received. What is written for the
 * first one goes down at once, what is written for others waits with them; when the first one's answer ends, it leaves and the
 * next is first.
 *
 * <p>Any thread may call any method. The lock guards all fields and the slots'. What is to be sent or started is not done under
 * it, but put in a queue which one thread at a time works off in order.
 */
final class AnswerLine {
    /** On its way to the transport; with {@code isPart} it belongs to an answer. */
    private record Outgoing(ChannelEvent event, boolean isPart) {}

    private final PipelinedExecutionHandler handler;
    private final ChannelHandlerContext ctx;
    private final ReadSuspension gate;

    private final ReentrantLock lock = new ReentrantLock();

    /** All whose answers were not sent; the first one is the one to send. */
    private final Deque<AnswerSlot> slots = new ArrayDeque<>();

    /** Those of them that no executor has been asked to run. */
    private final Queue<AnswerSlot> waiting = new ArrayDeque<>();

    /** What was written by others in the middle of an answer. */
    private final Queue<ChannelEvent> afterAnswer = new ArrayDeque<>();

    private final Queue<Outgoing> toSend = new ArrayDeque<>();
    private boolean sending;

    private final Queue<AnswerSlot> toStart = new ArrayDeque<>();
    private boolean starting;

    /** Requests given to the executor whose handlers have not returned or whose answers were not sent. */
    private int inFlight;

    /** Of the requests in line and the parts that wait with them. */
    private long bytes;

    private boolean holdsReading;
    private boolean closed;

    /** The handler has left the pipeline, so nobody tells any more when the channel turns writable. */
    private boolean removed;

    AnswerLine(PipelinedExecutionHandler handler, ChannelHandlerContext ctx) {
        this.handler = handler;
        this.ctx = ctx;
        this.gate = ReadSuspension.at(ctx);
        channel().getCloseFuture().addListener(future -> onClosed());
    }

    Channel channel() {
        return ctx.getChannel();
    }

    ReadSuspension gate() {
        return gate;
    }

    // ---- requests ----

    void receive(MessageEvent request) {
        AnswerSlot slot = new AnswerSlot(this, request, handler.bytesOf(request));
        RuntimeException refused = null;
        try {
            slot.timeout = handler.timer()
                    .newTimeout(expired -> onTimeout(slot), handler.timeoutNanos(), TimeUnit.NANOSECONDS);
        } catch (RuntimeException e) {
            refused = e;
        }
        lock.lock();
        slots.add(slot);
        waiting.add(slot);
        bytes += slot.requestBytes;
        unlockAndAct();
        if (refused != null) {
            failLater(slot, refused);
        }
    }

    private boolean mayStart() {
        boolean hasMemory = bytes < handler.getMaxMemorySize() || inFlight == 0;
        return inFlight < handler.getMaxInFlight()
                && (closed || removed || hasMemory && channel().isWritable());
    }

    private void start(AnswerSlot slot) {
        try {
            handler.getExecutor().execute(new RequestTask(slot));
        } catch (RuntimeException | Error refused) { // among errors, that no thread can be made
            lock.lock();
            onReturned(slot);
            unlockAndAct();
            failLater(slot, refused);
        }
    }

    private final class RequestTask extends ChannelUpstreamEventRunnable {
        private final AnswerSlot slot;

        RequestTask(AnswerSlot slot) {
            super(AnswerLine.this.ctx, slot.request(), handler.getExecutor());
            this.slot = slot;
        }

        @Override
        protected void doRun() {
            try {
                PipelinedAnswer answer = answerIfWanted(slot);
                if (answer != null) {
                    answer.run(super::doRun);
                }
            } finally {
                onHandled(slot);
            }
        }
    }

    /** Null if the request has failed before its turn came. */
    private PipelinedAnswer answerIfWanted(AnswerSlot slot) {
        lock.lock();
        try {
            return slot.failure == null ? slot.answer() : null;
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    private void onReturned(AnswerSlot slot) {
        slot.handling = Handling.RETURNED;
        if (slot.left) {
            inFlight--;
        }
    }

    private void onHandled(AnswerSlot slot) {
        lock.lock();
        onReturned(slot);
        boolean failed = slot.failure != null;
        if (!slot.deferred && !failed) {
            end(slot);
        }
        unlockAndAct();
        if (failed) {
            // after the exception event, which the pipeline has sent the same way if it has not passed already
            ctx.getPipeline().execute(() -> settleFailure(slot));
        }
    }

    // ---- answers ----

    /** Takes what is to go down to the transport. */
    void send(ChannelEvent e) {
        PipelinedAnswer answer = PipelinedAnswer.currentOrNull();
        if (answer != null && answer.slot().line() == this) {
            sendAsPart(answer, e);
        } else {
            sendBetweenAnswers(e);
        }
    }

    private void sendAsPart(PipelinedAnswer answer, ChannelEvent e) {
        AnswerSlot slot = answer.slot();
        lock.lock();
        boolean accepted = slot.accepts(answer);
        boolean isLate = !accepted && !closed && e instanceof MessageEvent;
        Throwable failure = slot.failure;
        if (accepted) {
            Part part = new Part(e, handler.bytesOf(e));
            slot.add(part);
            bytes += part.bytes();
        } else if (!isLate) {
            toSend.add(new Outgoing(e, false));
        }
        unlockAndAct();
        if (isLate) {
            e.getFuture().setFailure(failure != null ? failure : new IllegalStateException("the answer has ended"));
        }
    }

    /** Requests to close do not wait. */
    private void sendBetweenAnswers(ChannelEvent e) {
        lock.lock();
        boolean isInAnswer = !slots.isEmpty() && slots.peek().partsSent;
        if (isInAnswer && e instanceof MessageEvent) {
            afterAnswer.add(e);
        } else {
            toSend.add(new Outgoing(e, false));
        }
        unlockAndAct();
    }

    void defer(PipelinedAnswer answer) {
        lock.lock();
        try {
            if (!answer.slot().accepts(answer)) {
                throw new IllegalStateException("the answer has ended");
            }
            answer.slot().deferred = true;
        } finally {
            lock.unlock();
        }
    }

    void end(PipelinedAnswer answer) {
        lock.lock();
        if (answer.slot().accepts(answer)) {
            end(answer.slot());
        }
        unlockAndAct();
    }

    /** Under the lock. */
    private void end(AnswerSlot slot) {
        slot.ended = true;
        if (slot.timeout != null) {
            slot.timeout.cancel();
        }
    }

    boolean hasEnded(PipelinedAnswer answer) {
        lock.lock();
        try {
            return !answer.slot().accepts(answer);
        } finally {
            lock.unlock();
        }
    }

    // ---- failures ----

    /** The pipeline sends an exception event with that cause, be it on another thread. */
    void onThrown(PipelinedAnswer answer, Throwable thrown) {
        lock.lock();
        try {
            AnswerSlot slot = answer.slot();
            if (slot.accepts(answer) && slot.failure == null) {
                slot.failBy(thrown);
            }
        } finally {
            lock.unlock();
        }
    }

    /** What is done about the exception by handlers above belongs to the answer to the request that failed by it. */
    void passOn(ExceptionEvent e) {
        PipelinedAnswer answer = null;
        lock.lock();
        try {
            for (AnswerSlot slot : slots) {
                if (slot.failure == e.getCause() && !slot.ended) {
                    answer = slot.answer();
                    break;
                }
            }
        } finally {
            lock.unlock();
        }
        if (answer != null) {
            answer.run(() -> ctx.sendUpstream(e));
        } else {
            ctx.sendUpstream(e);
        }
    }

    void fail(PipelinedAnswer answer, Throwable cause) {
        if (!hasEnded(answer)) {
            failLater(answer.slot(), cause);
        }
    }

    private void onTimeout(AnswerSlot slot) {
        long millis = handler.getAnswerTimeoutMillis();
        failLater(slot, new AnswerTimeoutException("not answered within " + millis + " ms: " + slot.request()));
    }

    private void failLater(AnswerSlot slot, Throwable cause) {
        ctx.getPipeline().execute(() -> failNow(slot, cause));
    }

    private void failNow(AnswerSlot slot, Throwable cause) {
        PipelinedAnswer answer;
        lock.lock();
        try {
            if (slot.ended) {
                return;
            }
            if (slot.handling == Handling.WAITING) {
                slot.handling = Handling.SKIPPED;
                waiting.remove(slot);
            }
            slot.failBy(cause);
            answer = slot.renewAnswer();
        } finally {
            lock.unlock();
        }
        answer.run(() -> ctx.sendUpstream(new DefaultExceptionEvent(channel(), cause)));
        settleFailure(slot);
    }

    /** The handlers had the chance to answer all the same. */
    private void settleFailure(AnswerSlot slot) {
        List<Part> dropped = List.of();
        lock.lock();
        boolean isSettled = slot.ended || slot.wasAnsweredAfterFailure();
        boolean isIntact = !slot.partsSent;
        Throwable cause = slot.failure;
        PipelinedAnswer answer = null;
        if (slot.wasAnsweredAfterFailure()) {
            end(slot);
        } else if (!isSettled) {
            dropped = slot.takeParts();
            dropped.forEach(part -> bytes -= part.bytes());
            answer = slot.renewAnswer();
        }
        unlockAndAct();
        dropped.forEach(part -> part.event().getFuture().setFailure(cause));
        if (answer != null) {
            sendSubstitute(answer, isIntact, cause);
        }
    }

    private void sendSubstitute(PipelinedAnswer answer, boolean isIntact, Throwable cause) {
        Object substitute = isIntact ? substituteFor(answer, cause) : null;
        if (substitute != null) {
            answer.write(substitute);
        } else {
            Channel channel = channel();
            sendAsPart(
                    answer,
                    new DownstreamChannelStateEvent(
                            channel, channel.getCloseFuture(), ChannelState.OPEN, Boolean.FALSE));
        }
        end(answer);
    }

    private Object substituteFor(PipelinedAnswer answer, Throwable cause) {
        try {
            return handler.answerToFailure(ctx, answer.getRequest(), cause);
        } catch (RuntimeException e) {
            ctx.sendUpstream(new DefaultExceptionEvent(channel(), e));
            return null;
        }
    }

    // ---- the channel ----

    /** Also when the channel turned writable or the opposite. */
    void onInterestChanged() {
        lock.lock();
        unlockAndAct();
    }

    /** What is in the line is run and answered, and the channel is read as those above want it. */
    void onRemoved() {
        lock.lock();
        removed = true;
        unlockAndAct();
    }

    private void onClosed() {
        List<ChannelEvent> unsent = new ArrayList<>();
        lock.lock();
        closed = true;
        for (AnswerSlot slot : slots) {
            slot.takeParts().forEach(part -> unsent.add(part.event()));
            end(slot);
            leave(slot);
        }
        slots.clear();
        toSend.forEach(outgoing -> unsent.add(outgoing.event()));
        toSend.clear();
        unsent.addAll(afterAnswer);
        afterAnswer.clear();
        bytes = 0;
        unlockAndAct();
        if (!unsent.isEmpty()) {
            ClosedChannelException cause = new ClosedChannelException();
            unsent.forEach(e -> e.getFuture().setFailure(cause));
        }
    }

    // ---- what follows from a change ----

    /** Everything that changes the line ends with this. */
    private void unlockAndAct() {
        boolean heldReading = holdsReading;
        moveUp();
        while (!waiting.isEmpty() && mayStart()) {
            AnswerSlot slot = waiting.remove();
            slot.handling = Handling.RUNNING;
            inFlight++;
            toStart.add(slot);
        }
        holdsReading = wantsToHoldReading();
        boolean holdsNow = holdsReading;
        lock.unlock();
        PipelinedAnswer outer =
                PipelinedAnswer.bind(null); // what follows may be about other requests than the caller's
        try {
            turnGate(heldReading, holdsNow);
            sendAll();
            startAll();
        } finally {
            PipelinedAnswer.bind(outer);
        }
    }

    private void turnGate(boolean heldReading, boolean holdsReading) {
        if (holdsReading && !heldReading) {
            gate.suspend();
        } else if (heldReading && !holdsReading) {
            gate.resume();
        }
    }

    /** Under the lock. Lets go what may, and those leave the line who are through. */
    private void moveUp() {
        for (AnswerSlot first = slots.peek(); first != null; first = slots.peek()) {
            for (Part part = first.nextPart(); part != null; part = first.nextPart()) {
                bytes -= part.bytes();
                toSend.add(new Outgoing(part.event(), true));
            }
            if (!first.ended) {
                return;
            }
            slots.remove();
            bytes -= first.requestBytes;
            leave(first);
            afterAnswer.forEach(e -> toSend.add(new Outgoing(e, false)));
            afterAnswer.clear();
        }
    }

    private void leave(AnswerSlot slot) {
        slot.left = true;
        if (slot.handling == Handling.RETURNED) {
            inFlight--;
        }
    }

    private boolean wantsToHoldReading() {
        if (closed || removed) {
            return false;
        }
        int maxInFlight = handler.getMaxInFlight();
        long maxBytes = handler.getMaxMemorySize();
        if (inFlight >= maxInFlight
                || bytes >= maxBytes
                || !waiting.isEmpty()
                || !channel().isWritable()) {
            return true;
        }
        boolean isLow = inFlight <= Math.min(maxInFlight - 1, maxInFlight / 4 * 3) && bytes <= maxBytes / 2;
        return holdsReading && !isLow;
    }

    private void sendAll() {
        for (Outgoing next = nextToSend(false); next != null; next = nextToSend(true)) {
            ctx.sendDownstream(next.event());
            if (next.isPart()) {
                next.event().getFuture().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
            }
        }
    }

    /** Null if there is nothing for the caller to send. */
    private Outgoing nextToSend(boolean isSender) {
        lock.lock();
        try {
            if (sending != isSender) {
                return null;
            }
            Outgoing next = toSend.poll();
            sending = next != null;
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void startAll() {
        for (AnswerSlot slot = nextToStart(false); slot != null; slot = nextToStart(true)) {
            start(slot);
        }
    }

    /** Null if there is nothing for the caller to start. */
    private AnswerSlot nextToStart(boolean isStarter) {
        lock.lock();
        try {
            if (starting != isStarter) {
                return null;
            }
            AnswerSlot next = toStart.poll();
            starting = next != null;
            return next;
        } finally {
            lock.unlock();
        }
    }
}
