package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.internal.CongestedChannels;
import org.freshet.internal.EmptiedAccounts;
import org.freshet.internal.HoldsOutput;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a channel is writable, what counts for its marks, and when handlers are notified. */
class WaterMarksTest {
    private static final int HIGH = MarkedChannel.HIGH;
    private static final int LOW = MarkedChannel.LOW;
    private static final int UNIT = 32;

    /** Holds as much as the test says. */
    private static final class Holder extends SimpleChannelDownstreamHandler implements HoldsOutput {
        private final Channel[] holdsFor = new Channel[1];
        private long bytes;

        void hold(Channel channel, long more) {
            holdsFor[0] = channel;
            bytes += more;
            WriteAccount.charge(channel, more);
        }

        void release(Channel channel, long less) {
            bytes -= less;
            WriteAccount.release(channel, less);
        }

        @Override
        public long heldBytes(Object channel) {
            return channel == holdsFor[0] ? bytes : 0;
        }
    }

    private final Holder holder = new Holder();
    private final Holder below = new Holder();
    private final MemoryChannel channel = MemoryChannel.connected(below, holder);
    private final MarkedChannel marked = new MarkedChannel();

    @AfterEach
    void close() {
        channel.close();
        channel.releaseWrite(((AccountedChannel) channel).queuedWriteBytes());
        WriteAccount.release(channel, WriteAccount.waitingBytes(channel));
        marked.close();
    }

    // ---- the marks --------------------------------------------------------------------------------------------------

    @Test
    void shouldBeUnwritableAboveTheHighMarkUntilTheLowOneIsReached() {
        marked.admitWrite(HIGH);
        marked.updateWritability();
        assertTrue(marked.isWritable());
        marked.admitWrite(1);
        assertFalse(marked.isWritable());
        marked.updateWritability();
        marked.releaseWrite(HIGH - LOW);
        marked.updateWritability();
        assertFalse(marked.isWritable(), "one byte above the low mark");
        marked.releaseWrite(1);
        marked.updateWritability();
        assertTrue(marked.isWritable());
        assertEquals(List.of(false, true), marked.announced);
    }

    @Test
    void shouldCountWhatHandlersHoldAndWhatIsQueued() {
        channel.admitWrite(LOW);
        holder.hold(channel, LOW - UNIT);
        below.hold(channel, UNIT);
        assertTrue(channel.isWritable());
        channel.takeUpstream();
        below.hold(channel, UNIT);
        assertFalse(channel.isWritable());
        assertEquals(1, channel.takeUpstream().size(), "the handlers are notified");
        holder.release(channel, LOW - UNIT);
        assertFalse(channel.isWritable());
        below.release(channel, 2 * UNIT);
        assertTrue(channel.isWritable());
    }

    /** A handler with marks of its own, which doesn't say what it holds. */
    @Test
    void shouldNotCountWhatHandlersWithTheirOwnMarksHold() {
        WriteAccount.charge(channel, 2L * HIGH);
        assertTrue(channel.isWritable());
        channel.admitWrite(HIGH);
        channel.updateWritability();
        assertTrue(channel.isWritable());
        channel.admitWrite(UNIT);
        channel.updateWritability();
        assertFalse(channel.isWritable());
    }

    @Test
    void shouldHaveRoomBelowAHandlerUpToTheHighMark() {
        ChannelHandlerContext ctx = channel.context(holder);
        holder.hold(channel, 2L * HIGH);
        channel.admitWrite(LOW);
        below.hold(channel, LOW);
        assertTrue(WriteAccount.hasRoomBelow(ctx), "what it holds itself doesn't count");
        below.hold(channel, UNIT);
        assertFalse(WriteAccount.hasRoomBelow(ctx));
        below.release(channel, UNIT);
        channel.admitWrite(LOW);
        assertFalse(WriteAccount.hasRoomBelow(ctx), "what waits below and in the transport adds up");
        below.release(channel, LOW);
        assertTrue(WriteAccount.hasRoomBelow(ctx));
        channel.admitWrite(UNIT);
        assertFalse(WriteAccount.hasRoomBelow(ctx), "the transport's queue alone is above the mark");
    }

    @Test
    void shouldHaveRoomBelowWhileWritableIfThereAreNoMarks() {
        FakeChannel unmarked = new FakeChannel();
        ChannelHandlerContext ctx = unmarked.getPipeline().getContext(SimpleChannelUpstreamHandler.class);
        unmarked.admitWrite(10L * HIGH);
        assertTrue(WriteAccount.hasRoomBelow(ctx));
        assertTrue(unmarked.setUnwritable());
        assertFalse(unmarked.setUnwritable());
        assertFalse(WriteAccount.hasRoomBelow(ctx));
        assertTrue(unmarked.setWritable());
        assertFalse(unmarked.setWritable());
        assertTrue(WriteAccount.hasRoomBelow(ctx));
        unmarked.close();
    }

    @Test
    void shouldNotBeWritableBelowWhileAUserSaysSo() {
        ChannelHandlerContext ctx = channel.context(holder);
        assertTrue(WriteAccount.isWritableBelow(ctx));
        channel.setUserDefinedWritability(3, false);
        assertTrue(WriteAccount.hasRoomBelow(ctx));
        assertFalse(WriteAccount.isWritableBelow(ctx));
    }

    @Test
    void shouldNotifyADrainWhenNothingIsLeft() {
        AtomicInteger emptied = new AtomicInteger();
        EmptiedAccounts.watch(marked, new EmptiedAccounts.Watcher() {
            @Override
            public void onEmptied() {
                emptied.incrementAndGet();
            }

            @Override
            public void onLosing() {}
        });
        try {
            marked.admitWrite(2 * UNIT);
            marked.releaseWrite(UNIT);
            assertEquals(0, emptied.get());
            marked.releaseWrite(UNIT);
            assertEquals(1, emptied.get());
        } finally {
            EmptiedAccounts.unwatch(marked);
        }
    }

    // ---- notifications ----------------------------------------------------------------------------------------------

    /** The transport's queue changes in the midst of a write: the transport notifies handlers when it is done. */
    @Test
    void shouldLeaveItToTheTransportToAnnounceWhatItQueues() {
        assertFalse(marked.isWritabilityStale());
        marked.admitWrite(2 * HIGH);
        assertFalse(marked.isWritable());
        assertEquals(List.of(), marked.announced);
        assertTrue(marked.isWritabilityStale());
        marked.updateWritability();
        assertFalse(marked.isWritabilityStale());
        assertEquals(List.of(false), marked.announced);
        marked.releaseWrite(2 * HIGH);
        assertTrue(marked.isWritabilityStale());
        assertEquals(List.of(false), marked.announced);
    }

    /** A handler may take a message while the transport has yet to announce what it sent. */
    @Test
    void shouldAnnounceReliefWhenAHandlerTakesAMessage() {
        marked.admitWrite(2 * HIGH);
        marked.updateWritability();
        marked.releaseWrite(2 * HIGH);
        WriteAccount.charge(marked, UNIT);
        assertEquals(List.of(false, true), marked.announced);
        assertTrue(marked.isWritable());
    }

    @Test
    void shouldAnnounceBothIfReliefFollowsBeforeTheCongestionIsAnnounced() {
        marked.admitWrite(2 * HIGH);
        marked.releaseWrite(2 * HIGH);
        marked.updateWritability();
        assertEquals(List.of(false, true), marked.announced, "each once");
        marked.announced.clear();
        marked.updateWritability();
        assertEquals(List.of(), marked.announced);
    }

    @Test
    void shouldUndoTheChargeOfAHandlersMessageIfItsConsequencesThrow() {
        MarkedChannel failing = new MarkedChannel() {
            @Override
            public void runLater(Runnable task) {
                throw new IllegalStateException("for this test");
            }
        };
        failing.admitWrite(2 * HIGH);
        failing.updateWritability();
        failing.releaseWrite(2 * HIGH - UNIT);
        assertThrows(IllegalStateException.class, () -> WriteAccount.charge(failing, LOW));
        assertEquals(UNIT, WriteAccount.waitingBytes(failing));
        assertEquals(UNIT, WriteAccount.queuedBytes(failing));
        failing.close();
    }

    @Test
    void shouldAnnounceReliefLaterIfThereIsNoMemoryForItsTask() {
        AtomicBoolean wasTried = new AtomicBoolean();
        MarkedChannel scarce = new MarkedChannel() {
            @Override
            public void runLater(Runnable task) {
                wasTried.set(true);
                throw new OutOfMemoryError("injected by a test");
            }
        };
        scarce.admitWrite(2 * HIGH);
        scarce.updateWritability();
        scarce.releaseWrite(2 * HIGH);
        WriteAccount.charge(scarce, UNIT);
        assertTrue(wasTried.get());
        Await.until(() -> scarce.announced.equals(List.of(false, true)), "the event that it is writable");
        assertEquals(UNIT, WriteAccount.waitingBytes(scarce));
        scarce.close();
    }

    @Test
    void shouldKeepInterestAndCongestionApart() {
        marked.setInternalInterestOps(Channel.OP_NONE);
        marked.admitWrite(2 * HIGH);
        marked.updateWritability();
        assertEquals(Channel.OP_WRITE, marked.getInterestOps());
        marked.setInternalInterestOps(Channel.OP_READ);
        assertEquals(Channel.OP_READ_WRITE, marked.getInterestOps());
        marked.setInternalInterestOps(Channel.OP_NONE);
        marked.releaseWrite(2 * HIGH);
        marked.updateWritability();
        assertEquals(Channel.OP_NONE, marked.getInterestOps());
        assertEquals(List.of(false, true), marked.announced);
    }

    @Test
    void shouldNotNotifyHandlersOfAClosedChannel() {
        marked.admitWrite(2 * HIGH);
        marked.close();
        marked.updateWritability();
        assertEquals(List.of(), marked.announced);
        marked.setUserDefinedWritability(1, false);
        assertFalse(CongestedChannels.now().contains(marked));
    }

    @Test
    void shouldBeAmongTheCongestedChannelsWhileItIsUnwritable() {
        marked.admitWrite(2 * HIGH);
        assertTrue(CongestedChannels.now().contains(marked));
        marked.releaseWrite(2 * HIGH);
        marked.updateWritability();
        assertFalse(CongestedChannels.now().contains(marked));
        assertTrue(marked.setUnwritable());
        assertTrue(CongestedChannels.now().contains(marked));
        assertTrue(marked.setWritable());
        assertFalse(CongestedChannels.now().contains(marked));
    }

    @Test
    void shouldFireNoEventForAUsersReasonOnceTheChannelIsClosed() {
        channel.close();
        channel.takeUpstream();
        channel.setUserDefinedWritability(1, false);
        channel.setUserDefinedWritability(1, true);
        assertEquals(List.of(), channel.takeUpstream());
    }

    // ---- with a user's reason ---------------------------------------------------------------------------------------

    @Test
    void shouldNotAnnounceCongestionOfAChannelThatIsUnwritableAnyway() {
        marked.setUserDefinedWritability(1, false);
        marked.admitWrite(2 * HIGH);
        marked.updateWritability();
        assertEquals(List.of(), marked.announced);
        marked.setUserDefinedWritability(1, true);
        assertFalse(marked.isWritable());
        marked.releaseWrite(2 * HIGH);
        marked.updateWritability();
        assertEquals(List.of(true), marked.announced);
    }

    @Test
    void shouldNotAnnounceReliefOfAChannelThatStaysUnwritable() {
        marked.admitWrite(2 * HIGH);
        marked.updateWritability();
        marked.setUserDefinedWritability(1, false);
        marked.releaseWrite(2 * HIGH);
        marked.updateWritability();
        assertEquals(List.of(false), marked.announced);
        assertFalse(marked.isWritable());
        assertTrue(CongestedChannels.now().contains(marked));
        marked.setUserDefinedWritability(1, true);
        assertTrue(marked.isWritable());
        assertFalse(CongestedChannels.now().contains(marked));
    }

    /** A feeder that waits for this reason to end may go on, although what it holds still waits. */
    @Test
    void shouldNotifyAFeederThatTheLastUsersReasonHasGone() {
        holder.hold(channel, 2L * HIGH);
        channel.setUserDefinedWritability(1, false);
        channel.setUserDefinedWritability(2, false);
        channel.takeUpstream();
        channel.setUserDefinedWritability(1, true);
        assertEquals(List.of(), channel.takeUpstream());
        channel.setUserDefinedWritability(2, true);
        assertEquals(1, channel.takeUpstream().size());
        assertFalse(channel.isWritable());
        channel.setUserDefinedWritability(2, true);
        assertEquals(List.of(), channel.takeUpstream());
    }

    @Test
    void shouldNotFireAnEventForAUsersReasonWhileTheTransportHoldsTheChannelUp() {
        channel.turnWritable(false);
        channel.setUserDefinedWritability(1, false);
        channel.takeUpstream();
        channel.setUserDefinedWritability(1, true);
        assertEquals(List.of(), channel.takeUpstream());
    }
}
