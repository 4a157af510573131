package org.freshet.testing;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.internal.lending.LendingPipeline;
import org.freshet.internal.lending.Loan;
import org.freshet.internal.transport.LentMessageEvent;

/** Lends reads to a channel's handlers from memory that each read overwrites, like a loop but without a socket. */
public final class LendingMemory {
    private final ByteBuffer memory;
    private final byte[] array;

    public LendingMemory(int capacity) {
        memory = ByteBuffer.allocateDirect(capacity);
        array = new byte[capacity];
    }

    /**
     * Makes the channel receive all readable bytes; returns whether they were borrowed, and so not copied for every
     * handler.
     */
    public boolean lend(Channel channel, ChannelBuffer bytes) {
        if (((LendingPipeline) channel.getPipeline()).borrower() == null) {
            throw new IllegalArgumentException("the first handler does not borrow: " + channel.getPipeline());
        }
        int length = bytes.readableBytes();
        bytes.readBytes(memory.clear().limit(length));
        Read read = new Read(channel, length);
        LentMessageEvent event = new LentMessageEvent(channel, read);
        try {
            channel.getPipeline().sendUpstream(event);
        } finally {
            event.settle();
            read.end();
            overwrite();
        }
        return wasBorrowed(event);
    }

    private void overwrite() {
        Arrays.fill(array, (byte) 0xDB);
        memory.clear().put(array);
    }

    private static boolean wasBorrowed(LentMessageEvent event) {
        try {
            event.getMessage();
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    private final class Read extends Loan {
        Read(Channel channel, int length) {
            super(memory, memory.duplicate(), array, length, channel.getConfig().getBufferFactory());
        }

        @Override
        protected String borrower() {
            return "a handler under test";
        }

        @Override
        public boolean takesWriteTo(Object channel) {
            return false;
        }
    }
}
