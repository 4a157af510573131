package org.freshet.handler.execution;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.DefaultExceptionEvent;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.execution.AnswerQueue.Decision;
import org.freshet.handler.execution.AnswerQueue.Outcome;
import org.freshet.handler.execution.AnswerQueue.ReadChange;
import org.freshet.handler.execution.PendingAnswer.Part;
import org.freshet.internal.handler.Chain;
import org.freshet.internal.handler.CoalescedTask;
import org.freshet.internal.handler.DrainedWork;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.time.Alarm;

/**
 * Runs the requests of one connection and sends their answers in order. The parts of the first answer are sent
 * immediately, those of others wait. When the first answer ends, the next becomes first.
 *
 * <p>Any thread may call any method. The lock guards the {@link AnswerQueue}, which makes the decisions. They are
 * carried out here, after the lock is released. Only one thread at a time sends events, so they stay in order; the same
 * is true of starting requests.
 */
final class OrderedAnswers {
    private final PipelinedExecutionHandler handler;
    private final ChannelHandlerContext ctx;
    private final ReadSuspension reading;

    /** Holds the messages waiting for their turn. */
    private final MovedWrites writes;

    private final ReentrantLock lock = new ReentrantLock();
    private final AnswerQueue queue;

    /** Null until the channel is drained. */
    private volatile DrainedWork drained;

    private final CoalescedTask sending = new CoalescedTask(this::sendAll);
    private final CoalescedTask starting = new CoalescedTask(this::startAll);

    OrderedAnswers(PipelinedExecutionHandler handler, ChannelHandlerContext ctx) {
        this.handler = handler;
        this.ctx = ctx;
        this.reading = ReadSuspension.at(ctx);
        this.writes = handler.writesOf(ctx.getChannel());
        this.queue = new AnswerQueue(handler.maxInFlight, handler.maxMemorySize, channel()::isWritable);
        channel().getCloseFuture().addListener(future -> onClosed());
    }

    Channel channel() {
        return ctx.getChannel();
    }

    ReadSuspension readSuspension() {
        return reading;
    }

    // ---- requests ----

    /**
     * Takes a request. If the estimator or the timer refuses it, it still keeps its place: the next answer must not be
     * mistaken for its own.
     */
    void receive(MessageEvent request) {
        Throwable refusal = null;
        int bytes = 0;
        try {
            bytes = handler.bytesOf(request);
        } catch (Throwable e) {
            refusal = e;
        }
        PendingAnswer answer = new PendingAnswer(this, request, bytes);
        if (refusal == null) {
            refusal = startTimeout(answer);
        }
        boolean isRefused = refusal != null;
        update(() -> queue.add(answer, isRefused));
        if (isRefused) {
            failLater(answer, refusal);
        }
    }

    /** Returns why the timer refused, or null. */
    private Throwable startTimeout(PendingAnswer answer) {
        try {
            Alarm alarm = new Alarm(handler.timer(), ctx.getPipeline()::execute, () -> onTimeout(answer));
            alarm.start(handler.timeoutNanos());
            answer.timeout = alarm;
            return null;
        } catch (Throwable refused) {
            return refused;
        }
    }

    private void start(PendingAnswer answer) {
        try {
            handler.getExecutor().execute(new RequestTask(answer));
        } catch (Throwable refused) { // including the error that no thread can be started
            update(() -> queue.onReturned(answer));
            failLater(answer, refused);
        }
    }

    private final class RequestTask extends ChannelUpstreamEventRunnable {
        private final PendingAnswer answer;

        RequestTask(PendingAnswer answer) {
            super(OrderedAnswers.this.ctx, answer.request(), handler.getExecutor());
            this.answer = answer;
        }

        @Override
        protected void doRun() {
            try {
                PipelinedAnswer handle = read(() -> answer.failure == null ? answer.handle() : null);
                if (handle != null) { // otherwise the request failed before it was run
                    handle.run(super::doRun);
                }
            } finally {
                onHandled(answer);
            }
        }
    }

    private void onHandled(PendingAnswer answer) {
        boolean failed = update(() -> {
            queue.onReturned(answer);
            if (!answer.deferred && answer.failure == null) {
                queue.end(answer);
            }
            return answer.failure != null;
        });
        if (failed) {
            // after the exception event: if that has not passed yet, the pipeline has sent it the same way
            ctx.getPipeline().execute(() -> completeFailure(answer));
        }
    }

    // ---- answers ----

    /** Takes an event on its way down to the transport. */
    void send(ChannelEvent e) {
        PipelinedAnswer handle = PipelinedAnswer.currentOrNull();
        if (handle != null && handle.pending().answers() == this) {
            sendAsPart(handle, e);
            return;
        }
        ChannelEvent admitted = admit(e, true);
        if (admitted != null) {
            Part other = part(admitted, 0, false);
            update(() -> queue.addOther(other));
        }
    }

    /** Wraps an event that is charged already. If there is no memory for it, the charge is released. */
    private Part part(ChannelEvent admitted, int bytes, boolean isOfAnswer) {
        try {
            return new Part(admitted, bytes, isOfAnswer);
        } catch (Throwable t) {
            writes.held.release(channel(), HeldWrite.chargeOf(admitted));
            throw t;
        }
    }

    /**
     * Charges a message to the channel's account, because it may have to wait for its turn. A later answer's part never
     * blocks, nor does any part while others wait here: the first answer needs the space they occupy.
     *
     * @return null if the message was refused and has failed
     */
    private ChannelEvent admit(ChannelEvent e, boolean isFirst) {
        return e instanceof MessageEvent write ? writes.admit(write, isFirst && writes.held.bytes() == 0) : e;
    }

    private void sendAsPart(PipelinedAnswer handle, ChannelEvent e) {
        int bytes = handler.bytesOf(e);
        ChannelEvent admitted = admit(e, read(() -> queue.isFirst(handle.pending())));
        if (admitted == null) {
            e.getFuture().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
            return;
        }
        Part part = part(admitted, bytes, true);
        Outcome outcome = update(() -> queue.addPart(handle, part));
        if (outcome == Outcome.LATE) {
            Throwable failure = read(() -> handle.pending().failure);
            lose(admitted, failure != null ? failure : new IllegalStateException("the answer has ended"));
        }
    }

    private void lose(ChannelEvent e, Throwable cause) {
        writes.held.release(channel(), HeldWrite.chargeOf(e));
        if (e instanceof MessageEvent write) {
            UnsentMessage.release(write.getMessage());
        }
        LostEvents.fail(e, cause);
    }

    void defer(PipelinedAnswer handle) {
        if (!read(() -> handle.pending().defer(handle))) {
            throw new IllegalStateException("the answer has ended");
        }
    }

    void end(PipelinedAnswer handle) {
        update(() -> {
            if (handle.pending().accepts(handle)) {
                queue.end(handle.pending());
            }
        });
    }

    boolean hasEnded(PipelinedAnswer handle) {
        return read(() -> !handle.pending().accepts(handle));
    }

    // ---- failures ----

    /**
     * Called when a handler throws. The pipeline sends an exception event with that cause, possibly on another thread.
     */
    void onThrown(PipelinedAnswer handle, Throwable thrown) {
        update(() -> {
            PendingAnswer answer = handle.pending();
            if (answer.accepts(handle) && answer.failure == null) {
                answer.failBy(thrown);
            }
        });
    }

    /**
     * Passes an exception on. Messages that handlers above then write belong to the answer of the request that failed
     * with it.
     */
    void passOn(ExceptionEvent e) {
        PipelinedAnswer handle = read(() -> {
            PendingAnswer answer = queue.failedBy(e.getCause());
            return answer == null ? null : answer.handle();
        });
        if (handle != null) {
            handle.run(() -> ctx.sendUpstream(e));
        } else {
            ctx.sendUpstream(e);
        }
    }

    void fail(PipelinedAnswer handle, Throwable cause) {
        if (!hasEnded(handle)) {
            failLater(handle.pending(), cause);
        }
    }

    private void onTimeout(PendingAnswer answer) {
        long millis = TimeUnit.NANOSECONDS.toMillis(handler.timeoutNanos());
        failNow(answer, new AnswerTimeoutException("not answered within " + millis + " ms: " + answer.request()));
    }

    private void failLater(PendingAnswer answer, Throwable cause) {
        ctx.getPipeline().execute(() -> failNow(answer, cause));
    }

    private void failNow(PendingAnswer answer, Throwable cause) {
        PipelinedAnswer handle = update(() -> {
            if (answer.ended) {
                return null;
            }
            queue.skip(answer);
            answer.failBy(cause);
            return answer.renewHandle();
        });
        if (handle != null) {
            handle.run(() -> ctx.sendUpstream(new DefaultExceptionEvent(channel(), cause)));
            completeFailure(answer);
        }
    }

    /** What is left to do for a failed request that no handler has answered. */
    private record FailureEnd(Throwable cause, Chain<Part> dropped, PipelinedAnswer handle, boolean isIntact) {}

    private void completeFailure(PendingAnswer answer) {
        FailureEnd end = update(() -> {
            if (answer.wasAnsweredAfterFailure()) {
                queue.end(answer);
            }
            return answer.ended
                    ? null
                    : new FailureEnd(answer.failure, queue.dropParts(answer), answer.renewHandle(), !answer.partsSent);
        });
        if (end != null) {
            loseAll(end.dropped, end.cause);
            sendSubstitute(end.handle, end.isIntact, end.cause);
        }
    }

    private void sendSubstitute(PipelinedAnswer handle, boolean isIntact, Throwable cause) {
        Object substitute = isIntact ? substituteFor(handle, cause) : null;
        if (substitute == null || handle.write(substitute).getCause() != null) {
            Channel channel = channel();
            sendAsPart(
                    handle,
                    new DownstreamChannelStateEvent(
                            channel, channel.getCloseFuture(), ChannelState.OPEN, Boolean.FALSE));
        }
        end(handle);
    }

    private Object substituteFor(PipelinedAnswer handle, Throwable cause) {
        try {
            return handler.answerToFailure(ctx, handle.getRequest(), cause);
        } catch (Throwable e) {
            ctx.sendUpstream(new DefaultExceptionEvent(channel(), e));
            return null;
        }
    }

    // ---- the channel ----

    /** Keeps the channel open while answers are due. */
    void onDrain(DrainEvent drain) {
        DrainedWork owed = new DrainedWork(ctx, drain, "answers due", () -> !read(queue::isEmpty));
        drained = owed;
        owed.update();
    }

    /** Also called when the channel's writability changes. */
    void onInterestChanged() {
        update(() -> {});
    }

    /** Requests already received are still run and answered, and the channel is read as the handlers above want. */
    void onHandlerRemoved() {
        update(queue::onHandlerRemoved);
    }

    private void onClosed() {
        Chain<Part> unsent = new Chain<>();
        try {
            update(() -> queue.onChannelClosed(unsent));
        } finally { // even if there is no memory for the actions that follow
            if (!unsent.isEmpty()) {
                loseAll(unsent, UnsentMessage.causeOfClosed(channel()));
            }
        }
    }

    private void loseAll(Chain<Part> lost, Throwable cause) {
        for (Part part = lost.poll(); part != null; part = lost.poll()) {
            lose(part.event, cause);
        }
    }

    // ---- changes of the queue, and their consequences ----

    private <T> T read(Supplier<T> query) {
        lock.lock();
        try {
            return query.get();
        } finally {
            lock.unlock();
        }
    }

    private void update(Runnable change) {
        update(() -> {
            change.run();
            return null;
        });
    }

    /** Changes the queue under the lock, then carries out its decision. */
    private <T> T update(Supplier<T> change) {
        T result;
        Decision decision;
        lock.lock();
        try {
            result = change.get();
            decision = queue.advance();
        } finally {
            lock.unlock();
        }
        act(decision);
        return result;
    }

    /** The consequences may concern other requests than the one the calling thread is handling. */
    private void act(Decision decision) {
        PipelinedAnswer outer = PipelinedAnswer.bind(null);
        try {
            if (decision.readChange() == ReadChange.SUSPEND) {
                reading.suspend();
            } else if (decision.readChange() == ReadChange.RESUME) {
                reading.resume();
            }
            if (decision.cancels()) {
                cancelTimeouts();
            }
            if (decision.sends()) {
                sending.request();
            }
            if (decision.starts()) {
                starting.request();
            }
            DrainedWork owed = drained;
            if (owed != null) {
                owed.update();
            }
        } finally {
            PipelinedAnswer.bind(outer);
        }
    }

    private void cancelTimeouts() {
        for (Alarm next = read(queue::nextToCancel); next != null; next = read(queue::nextToCancel)) {
            next.cancel();
        }
    }

    private void sendAll() {
        for (Part next = read(queue::nextToSend); next != null; next = read(queue::nextToSend)) {
            try {
                writes.held.passOn(ctx, next.event, HeldWrite.chargeOf(next.event));
                if (next.isOfAnswer) {
                    next.event.getFuture().addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
                }
            } catch (Throwable e) { // the other events must still be sent
                LostEvents.fail(next.event, e);
                Holding.report(channel(), e);
            }
        }
    }

    private void startAll() {
        for (PendingAnswer next = read(queue::nextToStart); next != null; next = read(queue::nextToStart)) {
            start(next);
        }
    }
}
