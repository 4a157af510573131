package org.freshet.handler.execution;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.IoThreads;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.UnsentMessage;

/**
 * The writes of one channel that an {@link ExecutionHandler} has submitted to its executor, and their share of the
 * channel's account. Each is settled once: run by the executor, given up by it, or failed when the channel closes,
 * because an executor may drop what it has accepted. Any thread may call it; there is no lock.
 */
final class MovedWrites {
    final Holding held = new Holding();

    private final Set<MovedWrite> waiting = ConcurrentHashMap.newKeySet();

    /**
     * Requests admission for a write. Returns null if it was refused and has failed. A thread that makes the space must
     * not wait for it, so {@code mayBlock} is false for it.
     */
    HeldWrite admit(MessageEvent write, boolean mayBlock) {
        if (mayBlock || IoThreads.isCurrent()) {
            return held.admit(write);
        }
        IoThreads.begin();
        try {
            return held.admit(write);
        } finally {
            IoThreads.end();
        }
    }

    /** Has an executor pass a write on. If the executor throws, the write is released and the exception passed on. */
    void execute(ChannelHandlerContext ctx, HeldWrite write, Executor executor) {
        MovedWrite moved;
        try {
            moved = new MovedWrite(ctx, write, executor);
        } catch (Throwable t) { // out of memory
            held.release(write);
            throw t;
        }
        try {
            waiting.add(moved);
            if (write.getChannel().getCloseFuture().isDone()) {
                failAll(write.getChannel()); // its close listener may have run before the add
                return;
            }
            executor.execute(moved);
        } catch (Throwable t) {
            moved.release();
            throw t;
        }
    }

    void failAll(Channel channel) {
        if (waiting.isEmpty()) {
            return;
        }
        Throwable cause = UnsentMessage.causeOfClosed(channel);
        for (MovedWrite write : waiting) {
            if (write.release()) {
                LostEvents.fail(write.getEvent(), cause);
            }
        }
    }

    /** A write. Users see it as the original event. */
    final class MovedWrite extends ChannelDownstreamEventRunnable {
        private final long charge;
        private final AtomicBoolean settled = new AtomicBoolean();

        private MovedWrite(ChannelHandlerContext ctx, HeldWrite write, Executor executor) {
            super(ctx, write.write(), executor);
            charge = write.charge();
        }

        @Override
        protected void doRun() {
            if (!settle()) {
                return;
            }
            try {
                held.passOn(ctx, e, charge);
            } catch (Throwable t) { // no memory to pass it on
                LostEvents.fail(e, t);
                throw t;
            }
        }

        /** Marks the write as one that won't be sent. Returns false if it was already settled. */
        boolean release() {
            boolean isFirst = settle();
            if (isFirst) {
                held.release(e.getChannel(), charge);
                UnsentMessage.release(((MessageEvent) e).getMessage());
            }
            return isFirst;
        }

        private boolean settle() {
            waiting.remove(this);
            return settled.compareAndSet(false, true);
        }
    }
}
