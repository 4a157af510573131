package org.freshet.internal.write;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteMarks;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.request.SerialExecutor;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Lets a handler pass downstream events on one at a time, in the order in which they came, even if several threads write. For encoders
 * whose output depends on what they encoded before. No lock is held while an event is passed on.
 *
 * <p>A write is first charged to the channel's {@link WriteAccount}, unless the channel has no {@link WriteMarks}, such as an embedder's,
 * where nothing waits. If the account has no room, the write blocks or fails before the step runs, so everything the encoder has produced
 * reaches the handlers below. The first thread passes its own event on. An event that comes during that, from another thread or from a
 * handler below, is queued, and the first thread passes it on when it is done with its own. On a channel whose writes block, another thread
 * also waits until its event was passed on; otherwise it could produce endless output that the peer does not read.
 *
 * <p>Any thread may call any method.
 */
public final class DownstreamOrder {
    /** The handler's action for an event, typically sending it to the handlers below. */
    @FunctionalInterface
    public interface Step extends WriteAccount.SendAction {}

    /**
     * @param future fails if the step does; may be null
     * @param charge the charge in the channel's account, which the step hands over; 0 for none
     * @param passed opened when the step has run; null if no thread waits for it
     */
    private record Waiting(Channel channel, ChannelFuture future, Step step, long charge, CountDownLatch passed) {}

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(DownstreamOrder.class);
    private static final FailsafeLogMessage NOT_REPORTED =
            FailsafeLogMessage.warning(logger, "cannot report the failure of a write");

    /** Added to before {@link #pending} counts it. */
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();

    /** The number of running and waiting steps. The thread that increments it from 0 runs steps until it is 0 again. */
    private final AtomicInteger pending = new AtomicInteger();

    /** The thread that runs steps. */
    private volatile Thread runner;

    /**
     * Whether no step runs or waits. An event that depends on no other may then be passed on without this object: all events that the
     * calling thread passed to this object earlier have gone down.
     */
    public boolean isIdle() {
        return pending.get() == 0;
    }

    /**
     * Whether an event passed on now would wait for another thread's write, on a channel whose writes block: as long as the peer reads
     * nothing.
     */
    public boolean isBlocked(Channel channel) {
        return !isIdle() && runner != Thread.currentThread() && SerialChannel.isWriteBlocking(channel);
    }

    /**
     * Runs a step now, or lets the thread that is already running one do it. If the step fails there, the event's future fails, and an
     * {@code exceptionCaught} event is sent up.
     *
     * @param event the event that the step passes on
     * @throws Exception thrown by the step if it ran directly on this thread
     */
    public void pass(ChannelEvent event, Step step) throws Exception {
        Channel channel = event.getChannel();
        long charge = 0;
        if (event instanceof MessageEvent write && channel instanceof WriteMarks) {
            charge = WriteAccount.bytesOf(write.getMessage());
            Exception refusal = charge == 0 ? null : WriteAccount.admit(channel, charge);
            if (refusal != null) {
                UnsentMessage.fail(write, refusal);
                return;
            }
        }
        pass(channel, event.getFuture(), charge, step);
    }

    /**
     * Runs a step that creates its own event; see {@link #pass(ChannelEvent, Step)}.
     *
     * @param channel may be null before the pipeline has one
     * @param future fails if the step fails on another thread
     */
    public void pass(Channel channel, ChannelFuture future, Step step) throws Exception {
        pass(channel, future, 0, step);
    }

    private void pass(Channel channel, ChannelFuture future, long charge, Step step) throws Exception {
        if (!pending.compareAndSet(0, 1)) {
            queue(channel, future, charge, step);
            return;
        }
        runner = Thread.currentThread();
        try {
            if (charge != 0) {
                WriteAccount.passOn(channel, charge, step);
            } else {
                step.run();
            }
        } finally {
            runner = null;
            if (pending.decrementAndGet() != 0) {
                runWaiting();
            }
        }
    }

    private void queue(Channel channel, ChannelFuture future, long charge, Step step) {
        boolean waits = runner != Thread.currentThread() && mayWait(channel);
        CountDownLatch passed;
        try {
            passed = waits ? new CountDownLatch(1) : null;
            waiting.add(new Waiting(channel, future, step, charge, passed));
        } catch (Throwable t) { // out of memory
            WriteAccount.release(channel, charge);
            throw t;
        }
        if (pending.getAndIncrement() == 0) {
            runWaiting();
        } else if (waits) {
            await(passed, ((SerialChannel) channel).serialExecutor());
        }
    }

    /** A time-out that has borrowed the channel's events from a blocked handler doesn't wait for that handler. */
    private static boolean mayWait(Channel channel) {
        return channel instanceof SerialChannel serial
                && serial.isWriteBlocking()
                && !serial.serialExecutor().isBorrowedByCurrentThread();
    }

    /** Lets time-outs of the channel run meanwhile. */
    private static void await(CountDownLatch passed, SerialExecutor executor) {
        boolean lent = executor.lend();
        awaitUninterruptibly(passed);
        if (lent) {
            executor.reclaim();
        }
    }

    private void runWaiting() {
        do {
            runner = Thread.currentThread();
            run(waiting.remove());
            runner = null;
        } while (pending.decrementAndGet() != 0);
    }

    private static void run(Waiting next) {
        try {
            WriteAccount.passOn(next.channel, next.charge, next.step);
        } catch (Throwable failure) {
            fail(next, failure);
        } finally {
            if (next.passed != null) {
                next.passed.countDown();
            }
        }
    }

    /** Never throws: the following steps must run. */
    private static void fail(Waiting failed, Throwable failure) {
        try {
            if (failed.future != null) {
                failed.future.setFailure(failure);
            }
            if (failed.channel != null) {
                Channels.fireExceptionCaught(failed.channel, failure);
            }
        } catch (Throwable t) {
            NOT_REPORTED.log(failed.channel, t);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch passed) {
        boolean interrupted = false;
        while (true) {
            try {
                passed.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
