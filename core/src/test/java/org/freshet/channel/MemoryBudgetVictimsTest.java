package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which channels the {@link MemoryBudget} closes, which writes it refuses, and which channels it leaves alone. */
class MemoryBudgetVictimsTest {
    private static final int KIB = 1024;
    private static final int MIB = 1024 * KIB;

    /** Keeps a channel from closing, and so from releasing its backlog. */
    private static final class Stuck extends SimpleChannelDownstreamHandler {
        @Override
        public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {}
    }

    private final long limitBefore = MemoryBudget.getLimit();
    private final long queuedBefore = MemoryBudget.getQueuedBytes();
    private final List<MemoryChannel> channels = new ArrayList<>();

    @AfterEach
    void restore() {
        MemoryBudget.setLimit(limitBefore);
        channels.forEach(AbstractChannel::setClosed);
        assertTrue(channels.stream().noneMatch(Holders::contains), "a closed channel is known");
        assertEquals(queuedBefore, MemoryBudget.getQueuedBytes());
        channels.forEach(
                each -> WriteAccount.release(each, WriteAccount.waitingBytes(each) - WriteAccount.queuedBytes(each)));
    }

    /** A writable channel, although one of its handlers holds the given number of bytes. */
    private MemoryChannel holding(int bytes, ChannelHandler... handlers) {
        MemoryChannel channel = MemoryChannel.connected(handlers).holdWrites();
        channels.add(channel);
        WriteAccount.charge(channel, bytes);
        assertTrue(channel.isWritable());
        return channel;
    }

    private static ChannelFuture write(Channel channel, int bytes) {
        return channel.write(ChannelBuffers.wrappedBuffer(new byte[bytes]));
    }

    private void limit(long bytes) {
        MemoryBudget.setLimit(queuedBefore + bytes);
    }

    private static void assertOverflow(Channel channel) {
        Await.done(channel.getCloseFuture(), "the close");
        assertEquals(Kind.OVERFLOW, channel.getCloseReason().kind());
    }

    @Test
    void shouldCloseTheLargestBacklogEvenIfWritable() {
        MemoryChannel greatest = holding(3 * MIB);
        MemoryChannel unwritable = holding(0);
        write(unwritable, 200 * KIB);
        assertFalse(unwritable.isWritable());
        limit(2 * MIB);
        assertOverflow(greatest);
        assertTrue(unwritable.isOpen());
    }

    @Test
    void shouldCloseSomeOfManyChannelsJustBelowTheirWaterMark() {
        limit(2 * MIB);
        for (int i = 0; i < 64; i++) {
            holding(60 * KIB);
        }
        Await.until(() -> MemoryBudget.getQueuedBytes() - queuedBefore <= 2 * MIB, "room");
        assertTrue(channels.stream().anyMatch(Channel::isOpen));
    }

    @Test
    void shouldLeaveSmallBacklogsAloneWhileAnotherIsBeingClosed() {
        MemoryChannel neighbour = holding(0);
        MemoryChannel greedy = holding(4 * MIB, new Stuck());
        limit(4 * MIB - 300 * KIB); // together they exceed the limit by 8 percent
        while (neighbour.isOpen() && neighbour.isWritable()) {
            write(neighbour, 8 * KIB);
        }
        assertTrue(neighbour.isOpen(), () -> "closed: " + neighbour.getCloseReason());
        assertFalse(WriteAccount.hasRoomFor(greedy, KIB));
    }

    @Test
    void shouldFirstRefuseWritesAboveTheFairShareAndSmallMessagesLast() {
        MemoryChannel medium = holding(500 * KIB);
        MemoryChannel small = holding(60 * KIB);
        MemoryChannel empty = holding(0);
        MemoryChannel greedy = holding(3 * MIB, new Stuck());
        long sum = MemoryBudget.getQueuedBytes() - queuedBefore;
        limit(sum * 100 / 103);
        assertFalse(WriteAccount.hasRoomFor(greedy, KIB));
        assertFalse(WriteAccount.hasRoomFor(medium, 3 * MIB));
        assertTrue(WriteAccount.hasRoomFor(medium, KIB), "below its share");
        assertTrue(WriteAccount.hasRoomFor(empty, 3 * MIB), "alone");
        limit(sum * 100 / 106);
        assertFalse(WriteAccount.hasRoomFor(medium, KIB));
        assertFalse(WriteAccount.hasRoomFor(small, 17 * KIB));
        assertFalse(WriteAccount.hasRoomFor(empty, 17 * KIB));
        assertTrue(WriteAccount.hasRoomFor(small, 16 * KIB));
        limit(sum * 100 / 112);
        assertFalse(WriteAccount.hasRoomFor(small, KIB));
        assertTrue(WriteAccount.hasRoomFor(empty, KIB));
    }

    @Test
    void shouldCloseNoMoreWhileClosingChannelsMakeRoom() {
        MemoryChannel neighbour = holding(200 * KIB);
        holding(3 * MIB, new Stuck());
        limit(MIB);
        MemoryChannel closing = channels.get(1);
        closing.setClosing(CloseReason.LOCAL);
        assertTrue(Holders.contains(closing), "channels that make room are known");
        assertEquals(0, backlogs().closeGreatest(MIB, null));
        assertTrue(neighbour.isOpen());
    }

    /** Counts channels of this test only, whatever other tests left behind. */
    private Backlogs backlogs() {
        return Backlogs.of(
                channels,
                () -> channels.stream().mapToLong(WriteAccount::waitingBytes).sum());
    }

    @Test
    void shouldKnowChannelsWithLargeBacklogs() {
        MemoryChannel channel = holding(63 * KIB);
        assertFalse(Holders.contains(channel), "a small backlog, and plenty of room");
        WriteAccount.charge(channel, 4 * KIB);
        assertTrue(Holders.contains(channel));
        WriteAccount.release(channel, 60 * KIB);
        assertTrue(Holders.contains(channel));
        WriteAccount.release(channel, 7 * KIB);
        assertFalse(Holders.contains(channel));
    }

    @Test
    void shouldRegisterAChannelOnItsNextChargeIfMemoryRanOut() {
        MemoryChannel channel = holding(100 * KIB);
        Holders.forget(channel); // as if the registration had failed
        WriteAccount.charge(channel, 4 * KIB);
        assertTrue(Holders.contains(channel));
    }

    @Test
    void shouldKnowExactlyTheChannelsWithBacklogsWhenManyThreadsChargeAndRelease() throws Exception {
        Random random = Seeds.random();
        for (int round = 0; round < 2_000; round++) {
            MemoryChannel channel = holding(0);
            int bytes = 64 * KIB + random.nextInt(64 * KIB);
            boolean closes = random.nextInt(4) == 0;
            CountDownLatch begin = new CountDownLatch(1);
            Thread other = new Thread(() -> {
                awaitQuietly(begin);
                WriteAccount.charge(channel, bytes);
                WriteAccount.release(channel, bytes);
            });
            other.start();
            begin.countDown();
            WriteAccount.charge(channel, bytes);
            if (closes) {
                channel.setClosed();
            }
            Await.end(other);
            assertEquals(!closes, Holders.contains(channel), "round " + round);
            WriteAccount.release(channel, bytes);
            assertFalse(Holders.contains(channel), "round " + round);
            channels.clear();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
