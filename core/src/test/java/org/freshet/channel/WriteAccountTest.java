package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.internal.HeldSize;
import org.freshet.internal.HoldsOutput;
import org.freshet.internal.OpenInput;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.Holding;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WriteAccountTest {
    private static final int LIMIT = 100 * 1024;
    private static final long KIB = WriteAccount.costOf(1024);

    /** Holds every write until it is released. */
    private static final class Holder extends SimpleChannelDownstreamHandler implements HoldsOutput {
        final Holding held = new Holding();
        final List<HeldWrite> writes = new ArrayList<>();
        ChannelHandlerContext ctx;

        @Override
        public void writeRequested(ChannelHandlerContext place, MessageEvent e) {
            ctx = place;
            HeldWrite write = held.admit(e);
            if (write != null) {
                writes.add(write);
            }
        }

        @Override
        public long heldBytes(Object channel) {
            return held.bytes();
        }

        void passOn() {
            held.passOn(ctx, writes.remove(0));
        }
    }

    private final Holder holder = new Holder();

    @AfterEach
    void release() {
        holder.writes.forEach(each -> holder.held.fail(each, new ClosedChannelException()));
    }

    private static Object kib() {
        return ChannelBuffers.wrappedBuffer(new byte[1024]);
    }

    @Test
    void shouldCountBytesAndAnOverheadForMessagesAndADescriptorForFiles() {
        assertEquals(128, WriteAccount.costOf(1));
        assertEquals(1120, WriteAccount.bytesOf(kib()));
        FileRegion region = new FileRegion() {
            @Override
            public long getPosition() {
                return 0;
            }

            @Override
            public long getCount() {
                return 1;
            }

            @Override
            public long transferTo(WritableByteChannel target, long position) {
                return 0;
            }

            @Override
            public void releaseExternalResources() {}
        };
        assertEquals(WriteAccount.FILE_BYTES, WriteAccount.bytesOf(region));
        assertEquals(WriteAccount.MESSAGE_BYTES, WriteAccount.bytesOf(new Object()));
        OpenInput input = () -> {};
        assertEquals(WriteAccount.FILE_BYTES, WriteAccount.bytesOf(input));
        assertEquals(WriteAccount.costOf(5), WriteAccount.bytesOf("12345"));
        assertEquals(WriteAccount.costOf(500), WriteAccount.bytesOf(new byte[500]));
        HeldSize sized = () -> 700;
        assertEquals(WriteAccount.costOf(700), WriteAccount.bytesOf(sized));
        assertEquals(WriteAccount.costOf(1L << 30), WriteAccount.costOf(1L << 40), "it is shared or mapped");
        assertEquals(0, WriteAccount.bytesOf(OutputShutdown.INSTANCE));
    }

    @Test
    void shouldCountAMessageOnceWhereverItIsHeld() {
        MemoryChannel channel = MemoryChannel.connected(holder).holdWrites();
        channel.write(kib());
        assertEquals(KIB, WriteAccount.waitingBytes(channel));
        assertEquals(0, WriteAccount.queuedBytes(channel));
        holder.passOn();
        assertEquals(KIB, WriteAccount.waitingBytes(channel));
        assertEquals(KIB, WriteAccount.queuedBytes(channel));
        channel.completeWrites();
        assertEquals(0, WriteAccount.waitingBytes(channel));
        assertEquals(0, holder.held.bytes());
    }

    /** An encoder below the holder turns a message into more bytes than it was charged for. */
    @Test
    void shouldNotRefuseAMessageThatWasAlreadyAdmitted() {
        SimpleChannelDownstreamHandler encoder = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                Channels.write(ctx, e.getFuture(), ChannelBuffers.wrappedBuffer(new byte[LIMIT]));
            }
        };
        MemoryChannel channel =
                MemoryChannel.connected(encoder, holder).limit(LIMIT).holdWrites();
        channel.write(kib());
        channel.write(kib());
        holder.passOn();
        assertTrue(WriteAccount.waitingBytes(channel) > LIMIT);
        assertTrue(channel.isOpen());
        ChannelFuture beyond = channel.write(kib());
        assertFalse(channel.isOpen(), "a write that was not admitted is refused");
        assertInstanceOf(ChannelClosedException.class, beyond.getCause());
        assertEquals(Kind.OVERFLOW, channel.getCloseReason().kind());
    }

    @Test
    void shouldAdmitASingleMessageOfAnySize() {
        MemoryChannel channel = MemoryChannel.connected(holder).limit(LIMIT).holdWrites();
        channel.write(ChannelBuffers.wrappedBuffer(new byte[3 * LIMIT]));
        assertTrue(channel.isOpen());
        channel.write(kib());
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldReleaseAMessageThatNoHandlerBelowHasTaken() throws Exception {
        MemoryChannel channel = MemoryChannel.connected(holder);
        channel.write(kib());
        holder.writes.clear();
        WriteAccount.passOn(channel, KIB, () -> {});
        assertEquals(0, WriteAccount.waitingBytes(channel));
        WriteAccount.charge(channel, KIB);
        assertThrows(
                IllegalStateException.class,
                () -> WriteAccount.passOn(channel, KIB, () -> {
                    throw new IllegalStateException("for this test");
                }));
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldHandOverToTheRightChannelWhenWritesAreNested() throws Exception {
        MemoryChannel outer = MemoryChannel.connected().holdWrites();
        MemoryChannel inner = MemoryChannel.connected().holdWrites();
        WriteAccount.charge(outer, KIB);
        WriteAccount.charge(inner, KIB);
        WriteAccount.passOn(outer, KIB, () -> {
            WriteAccount.passOn(inner, KIB, () -> inner.write(kib()));
            assertEquals(KIB, WriteAccount.waitingBytes(inner));
            outer.write(kib());
        });
        assertEquals(KIB, WriteAccount.waitingBytes(outer));
        outer.completeWrites();
        inner.completeWrites();
        assertEquals(0, WriteAccount.waitingBytes(outer) + WriteAccount.waitingBytes(inner));
    }

    @Test
    void shouldMakeTheChannelUnwritableForHeldMessagesAndStillLetThemPass() {
        MemoryChannel channel = MemoryChannel.connected(holder).holdWrites();
        while (channel.isWritable()) {
            channel.write(kib());
        }
        assertEquals(64 * 1024 / KIB + 1, holder.writes.size());
        assertTrue(WriteAccount.hasRoomBelow(holder.ctx));
        while (WriteAccount.hasRoomBelow(holder.ctx)) {
            holder.passOn();
        }
        assertTrue(holder.writes.isEmpty());
        assertFalse(channel.isWritable());
        channel.takeUpstream();
        channel.completeWrites();
        assertTrue(channel.isWritable());
    }

    /** A closed channel no longer counts for the process, even if a handler forgets to release. */
    @Test
    void shouldNotCountForTheProcessOnceTheChannelIsClosed() {
        long before = MemoryBudget.getQueuedBytes();
        MemoryChannel channel = MemoryChannel.connected(holder);
        channel.write(ChannelBuffers.wrappedBuffer(new byte[1 << 20]));
        assertEquals(before + (1 << 20), MemoryBudget.getQueuedBytes());
        channel.close();
        assertEquals(before, MemoryBudget.getQueuedBytes());
        holder.held.release(holder.writes.remove(0));
        assertEquals(before, MemoryBudget.getQueuedBytes());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldRefuseToQueueBehindOthersOnceTheBudgetIsExhausted() {
        long limit = MemoryBudget.getLimit();
        MemoryChannel greedy = MemoryChannel.connected(holder);
        MemoryChannel other = MemoryChannel.connected().holdWrites();
        try {
            MemoryBudget.setLimit(MemoryBudget.getQueuedBytes() + LIMIT);
            greedy.write(ChannelBuffers.wrappedBuffer(new byte[2 * LIMIT]));
            other.write(kib());
            assertTrue(other.isOpen(), "a single message fits");
            greedy.write(kib());
            assertEquals(Kind.OVERFLOW, greedy.getCloseReason().kind());
            assertTrue(other.isOpen());
        } finally {
            MemoryBudget.setLimit(limit);
        }
    }

    /**
     * Looks for a sum that stays wrong after admissions, hand-overs and releases by several threads at the same time.
     */
    @Test
    void shouldBeEmptyInTheEndWhenManyThreadsChargeAndRelease() throws Exception {
        MemoryChannel channel = MemoryChannel.connected();
        Random random = Seeds.random();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Random own = new Random(random.nextLong());
            Thread thread = new Thread(() -> {
                for (int round = 0; round < 20_000; round++) {
                    long bytes = own.nextInt(100_000);
                    assertNull(WriteAccount.admit(channel, bytes));
                    if (own.nextBoolean()) {
                        WriteAccount.release(channel, bytes);
                    } else {
                        handOverAndRelease(channel, bytes, own.nextInt(100_000));
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(0, WriteAccount.waitingBytes(channel));
        assertTrue(channel.isWritable());
    }

    private static void handOverAndRelease(Channel channel, long bytes, long taken) {
        try {
            WriteAccount.passOn(channel, bytes, () -> WriteAccount.charge(channel, taken));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        WriteAccount.release(channel, taken);
    }

    @Test
    void shouldAdmitEverythingOnAChannelWithoutAnAccount() {
        assertNull(WriteAccount.admit(null, 1L << 40));
        assertEquals(0, WriteAccount.waitingBytes(null));
    }

    // ---- with memory exhausted --------------------------------------------------------------------------------------

    @Test
    void shouldBeWritableAgainEvenIfMemoryForItsTaskRanOut() {
        MemoryChannel channel = MemoryChannel.connected(holder);
        channel.write(ChannelBuffers.wrappedBuffer(new byte[100 * 1024]));
        assertFalse(channel.isWritable());
        channel.takeUpstream();
        channel.scarceTasks(new Scarcity(0));
        holder.held.release(holder.writes.remove(0));
        assertFalse(channel.isWritable());
        Await.until(channel::isWritable, "a writable channel");
        Await.until(() -> !channel.takeUpstream().isEmpty(), "the event that says so");
    }

    @Test
    void shouldNotChangeWritabilityThatItHasNoMemoryToAnnounce() {
        MemoryChannel channel = MemoryChannel.connected();
        for (boolean writable : new boolean[] {false, true}) {
            channel.takeUpstream();
            channel.scarceTasks(new Scarcity(0));
            assertThrows(OutOfMemoryError.class, () -> channel.setUserDefinedWritability(1, writable));
            assertEquals(!writable, channel.isWritable());
            channel.setUserDefinedWritability(1, writable);
            assertEquals(writable, channel.isWritable());
            assertEquals(1, channel.takeUpstream().size());
        }
    }

    /** Its events run out of memory at the given step. */
    private static final class ScarceEvents extends MarkedChannel {
        final Scarcity scarcity;

        ScarceEvents(int step) {
            scarcity = new Scarcity(step);
        }

        @Override
        protected void fireWritabilityChanged() {
            scarcity.step();
            super.fireWritabilityChanged();
        }
    }

    @Test
    void shouldAnnounceCongestionAndItsEndEvenIfAnEventRunsOutOfMemory() {
        for (int step = 0; step < 2; step++) {
            ScarceEvents channel = new ScarceEvents(step);
            assertNull(channel.admitWrite(100 * 1024));
            Scarcity.survive(channel::updateWritability);
            Await.until(() -> channel.announced.equals(List.of(false)), "the first event");
            assertFalse(channel.isWritable());
            channel.releaseWrite(100 * 1024);
            Scarcity.survive(channel::updateWritability);
            Await.until(() -> channel.announced.equals(List.of(false, true)), "the second event");
            assertTrue(channel.isWritable());
            assertTrue(channel.scarcity.wasReached());
            channel.close();
        }
    }
}
