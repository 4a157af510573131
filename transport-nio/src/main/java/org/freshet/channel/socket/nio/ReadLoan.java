package org.freshet.channel.socket.nio;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.socket.nio.receive.StreamReceiver;
import org.freshet.internal.lending.Lending;
import org.freshet.internal.lending.LendingPipeline;
import org.freshet.internal.lending.Loan;
import org.freshet.internal.transport.LentMessageEvent;
import org.freshet.internal.write.OutgoingMessage;

/**
 * The memory of one read of one channel while its first handler may borrow it, and the writes made from it. A worker
 * has one loan at a time, because it does not read while it handles a read. Loop only.
 */
final class ReadLoan extends Loan {
    /**
     * Fewer bytes written to another channel wait for the end of the turn, and are sent together with its other writes.
     */
    private static final int WORTH_A_FLUSH_BYTES = 4 * 1024;

    private final NioStreamChannel channel;
    private final ChannelHandlerContext borrower;

    /** The first message that shows lent bytes, if it was written to the channel itself; otherwise null. */
    private OutgoingMessage first;

    /** All others, in write order; null until there is one. */
    private List<Written> others;

    private record Written(NioChannel channel, OutgoingMessage message) {}

    private ReadLoan(
            NioStreamChannel channel,
            ChannelHandlerContext borrower,
            ByteBuffer memory,
            ByteBuffer window,
            byte[] array,
            int size) {
        super(memory, window, array, size, channel.getConfig().getBufferFactory());
        this.channel = channel;
        this.borrower = borrower;
    }

    /** Lends the bytes read to the channel's first handler, if that borrows. Returns whether it did. */
    static boolean passOn(NioStreamChannel channel, StreamReceiver receiver, int received) {
        if (channel.getPipeline() instanceof LendingPipeline pipeline
                && pipeline.borrower() instanceof ChannelHandlerContext borrower) {
            make(channel, borrower, receiver, received).run();
            return true;
        }
        return false;
    }

    private static ReadLoan make(
            NioStreamChannel channel, ChannelHandlerContext borrower, StreamReceiver receiver, int size) {
        if (Lending.MODE != Lending.CHECK) {
            return new ReadLoan(channel, borrower, receiver.memory(), receiver.window(), receiver.scratch(), size);
        }
        ByteBuffer memory = ByteBuffer.allocateDirect(size).put(0, receiver.memory(), 0, size);
        return new ReadLoan(channel, borrower, memory, memory.duplicate(), new byte[size], size);
    }

    private void run() {
        NioWorker worker = channel.worker();
        LentMessageEvent event = new LentMessageEvent(channel, this);
        worker.onLoan(this);
        try {
            channel.getPipeline().sendUpstream(event);
        } finally {
            try {
                event.settle();
                settleWrites();
            } finally {
                end();
                worker.onLoan(null);
            }
        }
    }

    @Override
    public void end() {
        super.end();
        if (Lending.MODE == Lending.CHECK) {
            poison();
        }
    }

    @Override
    protected String borrower() {
        return "'" + borrower.getName() + "' ("
                + borrower.getHandler().getClass().getName() + ")";
    }

    @Override
    public boolean takesWriteTo(Object target) {
        return target instanceof NioStreamChannel other
                && isHeldBy(other)
                && other.getPipeline() instanceof LendingPipeline pipeline
                && pipeline.isDownstreamFree();
    }

    /** Returns whether this is the loop of both channels, and the loan has not ended. */
    private boolean isHeldBy(NioChannel other) {
        return other.loop() == channel.loop() && other.loop().inLoop() && !hasEnded();
    }

    /**
     * Records a message that shows lent bytes and is about to be queued. Any thread may call it.
     *
     * @throws IllegalStateException if the loan has ended
     */
    void onWrite(NioChannel target, OutgoingMessage message) {
        if (!isHeldBy(target)) {
            message.takeCopy();
            return;
        }
        if (first == null && others == null && target == channel) {
            first = message; // an echo needs no list
            return;
        }
        if (others == null) {
            others = new ArrayList<>(4);
        }
        others.add(new Written(target, message));
    }

    /**
     * Sends the messages as far as the kernel accepts them, and copies the rest. Listeners may write more in the
     * meantime.
     */
    private void settleWrites() {
        if (first != null) {
            settle(channel, first);
        }
        for (int i = 0; others != null && i < others.size(); i++) {
            settle(others.get(i).channel, others.get(i).message);
        }
    }

    private void settle(NioChannel target, OutgoingMessage message) {
        if (message.remaining() == 0) {
            return;
        }
        if (target == channel || message.remaining() >= WORTH_A_FLUSH_BYTES) {
            target.flusher().onLoanEnds();
        }
        if (message.remaining() > 0) {
            message.takeCopy();
        }
    }
}
