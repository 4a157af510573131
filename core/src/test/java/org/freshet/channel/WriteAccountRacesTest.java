package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An account that two threads change at the same time. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WriteAccountRacesTest {
    private static final int MESSAGE = 128 * 1024;

    /**
     * A transport without a peer. {@link #beforeWhole} runs between a change of its account and the same change of the
     * total.
     */
    private static final class Part extends AbstractChannel implements WriteMarks {
        private final AbstractChannel whole;
        private Runnable beforeWhole = () -> {};

        Part(AbstractChannel whole) {
            super(null, null, Channels.pipeline(), new IdleSink());
            this.whole = whole;
        }

        @Override
        protected AbstractChannel getSendingChannel() {
            Runnable once = beforeWhole;
            beforeWhole = () -> {};
            once.run();
            return whole;
        }

        @Override
        public int highWaterMark() {
            return 64 * 1024;
        }

        @Override
        public int lowWaterMark() {
            return 32 * 1024;
        }

        @Override
        public int limitBytes() {
            return 0;
        }

        @Override
        public ChannelConfig getConfig() {
            return new DefaultChannelConfig();
        }

        @Override
        public boolean isBound() {
            return true;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public SocketAddress getLocalAddress() {
            return null;
        }

        @Override
        public SocketAddress getRemoteAddress() {
            return null;
        }
    }

    private static final class IdleSink extends AbstractChannelSink {
        @Override
        public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {}
    }

    /** The thread that clears the account's bit may be interrupted before the bit can be set again. */
    @Test
    void shouldNotBeWritableWhileTheReasonChanges() {
        AccountedChannel channel = MemoryChannel.open();
        assertTrue(channel.isWritable());
        assertTrue(channel.enter(ChannelInterest.Congestion.NONE, ChannelInterest.Congestion.CHANGING));
        assertFalse(channel.isWritable());
        assertTrue(channel.enter(ChannelInterest.Congestion.CHANGING, ChannelInterest.Congestion.NONE));
        assertTrue(channel.isWritable());
    }

    @Test
    void shouldKeepTheTotalRightWhenAPartClosesWhileAThreadCharges() {
        long budgetBefore = MemoryBudget.getQueuedBytes();
        MemoryChannel connection = MemoryChannel.connected();
        Part stream = new Part(connection);
        stream.beforeWhole = stream::setClosed;
        stream.admitWrite(MESSAGE);
        stream.releaseWrite(MESSAGE);
        assertEquals(0, WriteAccount.waitingBytes(connection));
        assertEquals(budgetBefore, MemoryBudget.getQueuedBytes());
        connection.holdWrites().write(ChannelBuffers.wrappedBuffer(new byte[MESSAGE]));
        assertEquals(WriteAccount.costOf(MESSAGE), WriteAccount.waitingBytes(connection));
        assertTrue(MemoryBudget.getQueuedBytes() > budgetBefore, "the connection's account has settled");
        connection.close();
        assertEquals(budgetBefore, MemoryBudget.getQueuedBytes());
    }

    @Test
    void shouldEndUnwritableWhenMuchIsChargedWhileTheIoThreadReleases() throws Exception {
        Part channel = new Part(null);
        int rounds = 50_000;
        AtomicInteger started = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        Thread writer = new Thread(() -> {
            for (int round = 1; round <= rounds && await(started, round); round++) {
                for (int delay = round % 64; delay > 0; delay--) {
                    Thread.onSpinWait();
                }
                channel.admitWrite(MESSAGE);
                ended.set(round);
            }
        });
        writer.start();
        try {
            for (int round = 1; round <= rounds; round++) {
                channel.admitWrite(MESSAGE);
                channel.updateWritability();
                channel.releaseWrite(MESSAGE);
                started.set(round);
                channel.updateWritability();
                assertTrue(await(ended, round));
                channel.updateWritability();
                assertFalse(channel.isWritable(), "round " + round + ": " + MESSAGE + " bytes are waiting");
                channel.releaseWrite(MESSAGE);
                channel.updateWritability();
                assertTrue(channel.isWritable(), "round " + round + ": nothing is waiting");
            }
        } finally {
            writer.interrupt();
            writer.join();
            channel.setClosed();
        }
    }

    /** Returns false if the thread was interrupted. */
    private static boolean await(AtomicInteger counter, int value) {
        while (counter.get() != value) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            Thread.yield(); // a busy machine may not have a processor for each of the two
        }
        return true;
    }
}
