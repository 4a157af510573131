package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.CloseReason.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writes that are refused on channels of transports that don't limit them, or just as there is room again. */
class WriteRefusalTest {
    private static final int LIMIT = 100 * 1024;
    private static final long PIECE = 40 * 1024;
    private static final long BUDGET = 4L << 20;

    /** Runs the test's code when it is asked what to do with a write that doesn't fit. */
    private static class AskedChannel extends FakeChannel {
        private final WriteOverflow policy;
        Runnable whenAsked = () -> {};

        AskedChannel(WriteOverflow policy) {
            this.policy = policy;
        }

        @Override
        public ChannelConfig getConfig() {
            return new DefaultChannelConfig() {
                @Override
                public <T> T getOption(ChannelOption<T> option) {
                    whenAsked.run();
                    return option.type().cast(policy);
                }
            };
        }
    }

    private static final class LimitedChannel extends AskedChannel implements WriteMarks {
        LimitedChannel(WriteOverflow policy) {
            super(policy);
        }

        @Override
        public int highWaterMark() {
            return LIMIT / 2;
        }

        @Override
        public int lowWaterMark() {
            return LIMIT / 4;
        }

        @Override
        public int limitBytes() {
            return LIMIT;
        }
    }

    private final long budgetBefore = MemoryBudget.getLimit();
    private final List<FakeChannel> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(FakeChannel::onClosed);
        MemoryBudget.setLimit(budgetBefore);
    }

    private <T extends FakeChannel> T open(T channel) {
        opened.add(channel);
        return channel;
    }

    /** What waits on a channel that is closing exhausts it. */
    private void exhaustBudget() {
        FakeChannel closing = open(new FakeChannel());
        WriteAccount.charge(closing, 4 * BUDGET);
        closing.setClosing();
        MemoryBudget.setLimit(BUDGET);
    }

    @Test
    void shouldCloseAChannelThatCannotBlockWhateverItsPolicyUnlessThatIsToFail() {
        exhaustBudget();
        for (WriteOverflow policy : new WriteOverflow[] {WriteOverflow.BLOCK, WriteOverflow.CLOSE, null}) {
            AskedChannel unlimited = open(new AskedChannel(policy));
            assertNull(unlimited.admitWrite(1024));
            assertInstanceOf(ChannelClosedException.class, unlimited.admitWrite(PIECE));
            assertFalse(unlimited.isOpen());
            assertEquals(Kind.OVERFLOW, unlimited.getCloseReason().kind());
        }
        AskedChannel failing = open(new AskedChannel(WriteOverflow.FAIL));
        assertNull(failing.admitWrite(1024));
        assertEquals(
                0,
                assertInstanceOf(WriteOverflowException.class, failing.admitWrite(PIECE))
                        .getLimitBytes());
        assertTrue(failing.isOpen());
    }

    @Test
    void shouldSayWhatWaitedBeforeTheWriteEvenIfItIsSentJustAsTheWriteIsRefused() {
        LimitedChannel channel = open(new LimitedChannel(WriteOverflow.FAIL));
        assertNull(channel.admitWrite(LIMIT));
        channel.whenAsked = () -> channel.releaseWrite(LIMIT);
        WriteOverflowException refusal = assertInstanceOf(WriteOverflowException.class, channel.admitWrite(PIECE));
        assertEquals(LIMIT, refusal.getPendingBytes());
        assertEquals(
                "the write is refused: 102400 bytes wait to be sent and 40960 more would exceed writeBufferLimit (102400):"
                        + " the peer reads too slowly; write only while isWritable(), or set a higher limit",
                refusal.getMessage());
        channel.whenAsked = () -> {};
        assertNull(channel.admitWrite(PIECE));
    }

    @Test
    void shouldRefuseNothingOfAnUnlimitedChannelWithinTheBudget() {
        AskedChannel unlimited = open(new AskedChannel(WriteOverflow.FAIL));
        for (int i = 0; i < 10; i++) {
            assertNull(unlimited.admitWrite(PIECE));
            assertTrue(unlimited.isWritable());
        }
        assertEquals(10 * PIECE, WriteAccount.queuedBytes(unlimited));
    }
}
