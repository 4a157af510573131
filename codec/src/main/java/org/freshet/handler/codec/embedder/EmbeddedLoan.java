package org.freshet.handler.codec.embedder;

import java.nio.ByteBuffer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channels;
import org.freshet.internal.lending.Lending;
import org.freshet.internal.lending.Loan;
import org.freshet.internal.transport.LentMessageEvent;

/**
 * A copy of an offered buffer, lent to the handlers under test. Used if lending is checked
 * ({@code -Dorg.freshet.lending=check}) and the first handler is a borrower. Belongs to the offering thread.
 */
final class EmbeddedLoan extends Loan {
    private EmbeddedLoan(ByteBuffer memory, EmbeddedChannel channel) {
        super(
                memory,
                memory.duplicate(),
                new byte[memory.capacity()],
                memory.capacity(),
                channel.getConfig().getBufferFactory());
    }

    /** Delivers {@code offered} to the handlers, as a loan or as it is. */
    static void receive(EmbeddedChannel channel, EmbeddedPipeline pipeline, Object offered) {
        if (Lending.MODE == Lending.CHECK
                && offered instanceof ChannelBuffer bytes
                && bytes.readable()
                && bytes.order() == channel.getConfig().getBufferFactory().getDefaultOrder()
                && pipeline.borrower() != null) {
            lend(channel, pipeline, bytes);
        } else {
            Channels.fireMessageReceived(channel, offered);
        }
    }

    private static void lend(EmbeddedChannel channel, EmbeddedPipeline pipeline, ChannelBuffer bytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes.readableBytes());
        bytes.getBytes(bytes.readerIndex(), memory);
        EmbeddedLoan loan = new EmbeddedLoan(memory, channel);
        LentMessageEvent event = new LentMessageEvent(channel, loan);
        try {
            pipeline.sendUpstream(event);
        } finally {
            try {
                event.settle();
            } finally {
                loan.end();
                loan.poison();
            }
        }
    }

    @Override
    protected String borrower() {
        return "a handler in the embedder";
    }

    /** A written buffer becomes a product and must last. */
    @Override
    public boolean takesWriteTo(Object channel) {
        return false;
    }
}
