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
 * The writes of one channel that an {@link ExecutionHandler} has given to its executor, and their part of the channel's account. Each is
 * settled once: run by the executor, given up by it, or failed when the channel closes, because an executor may drop what it has accepted.
 * Any thread may call; there is no lock.
 */
final class MovedWrites {
    final Holding held = new Holding();

    private final Set<MovedWrite> waiting = ConcurrentHashMap.newKeySet();

    /** Asks for a write; null if it was refused and has failed. A thread that makes the room must not wait for it. */
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

    /** Has an executor pass a write on. Throws what the executor throws; the write is released then. */
    void execute(ChannelHandlerContext ctx, HeldWrite write, Executor executor) {
        MovedWrite moved;
        try {
            moved = new MovedWrite(ctx, write, executor);
        } catch (Throwable t) { // without memory
            held.release(write);
            throw t;
        }
        try {
            waiting.add(moved);
            if (write.getChannel().getCloseFuture().isDone()) {
                failAll(write.getChannel()); // it may have looked before
                return;
            }
            executor.execute(moved);
        } catch (Throwable t) {
            moved.release();
            throw t;
        }
    }

    void failAll(Channel channel) {
        Throwable cause = UnsentMessage.causeOfClosed(channel);
        for (MovedWrite write : waiting) {
            if (write.release()) {
                LostEvents.fail(write.getEvent(), cause);
            }
        }
    }

    /** A write, which users see as the event it was. */
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
            } catch (Throwable t) { // without memory to pass it on
                LostEvents.fail(e, t);
                throw t;
            }
        }

        /** It will not be sent. Returns whether it was not settled before. */
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
