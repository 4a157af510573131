package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.handler.stream.PausedInput;
import org.freshet.internal.CongestedChannels;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final LocalAddress NAME = new LocalAddress("memory-budget-test");

    private final long limitBefore = MemoryBudget.getLimit();
    private final Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory());

    @AfterEach
    void restore() {
        MemoryBudget.setLimit(limitBefore);
        rig.close();
    }

    private void listen() {
        rig.server().setParentHandler(new SimpleChannelUpstreamHandler() {
            @Override
            public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
                e.getChildChannel().setReadable(false);
            }
        });
        rig.listen(NAME, Recorder::new);
    }

    /** A channel with the given number of bytes that its peer has not taken. */
    private Channel congested(int bytes, ChannelHandler... handlers) {
        Channel channel = rig.connect(NAME, handlers);
        channel.write(ChannelBuffers.wrappedBuffer(new byte[bytes]));
        return channel;
    }

    private static Backlogs backlogs(Channel... channels) {
        List<AccountedChannel> all =
                Stream.of(channels).map(AccountedChannel.class::cast).toList();
        return Backlogs.of(
                all, () -> all.stream().mapToLong(WriteAccount::waitingBytes).sum());
    }

    /** A channel that can't be listed, as if there were no memory for the list. */
    private static final class UnlistedChannel extends FakeChannel {
        private volatile boolean wasListed;

        @Override
        public boolean isOpen() {
            boolean isListed = StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getClassName().equals(Backlogs.class.getName())
                                    && frame.getMethodName().equals("of")));
            if (isListed) {
                wasListed = true;
                throw new OutOfMemoryError("injected by a test");
            }
            return super.isOpen();
        }
    }

    @Test
    void shouldCloseTheLargestBacklogWithoutMemoryForAListOfAll() {
        UnlistedChannel great = new UnlistedChannel();
        UnlistedChannel small = new UnlistedChannel();
        WriteAccount.charge(great, 400_000);
        WriteAccount.charge(small, 100_000);
        long closedBefore = MemoryBudget.getClosed();
        MemoryBudget.setLimit(300_000);
        Await.done(great.getCloseFuture(), "the close of the greatest");
        Await.until(() -> MemoryBudget.getClosed() == closedBefore + 1, "the count");
        assertEquals(Kind.OVERFLOW, great.getCloseReason().kind());
        assertTrue(great.wasListed || small.wasListed, "nothing was injected"); // the first one that is met throws
        assertTrue(small.isOpen());
        small.close();
    }

    @Test
    void shouldCloseTheLargestBacklogs() throws Exception {
        listen();
        Channel small = congested(100_000);
        Channel greatest = congested(400_000);
        Channel great = congested(300_000);
        Backlogs backlogs = backlogs(small, greatest, great);
        assertTrue(backlogs.sum() >= 800_000);
        try (CapturedLog log = CapturedLog.start()) {
            assertEquals(1, backlogs.closeGreatest(500_000, InternalLoggerFactory.getInstance(MemoryBudget.class)));
            String warning = log.only().text();
            assertTrue(warning.contains("closed 1 of 3 channels"), warning);
        }
        assertEquals(Kind.OVERFLOW, greatest.getCloseReason().kind());
        assertTrue(greatest.getCloseReason().detail().contains("MemoryBudget (500000)"));
        assertTrue(small.isOpen());
        assertTrue(great.isOpen());
        assertTrue(backlogs(small, greatest, great).sum() < 450_000, "a closed channel is still counted");
    }

    @Test
    void shouldCountMessagesHeldByHandlers() {
        listen();
        Channel channel = rig.connect(NAME, new ChunkedWriteHandler());
        channel.write(new PausedInput());
        channel.write(ChannelBuffers.wrappedBuffer(new byte[50_000]));
        assertEquals(
                WriteAccount.costOf(50_000) + WriteAccount.FILE_BYTES,
                backlogs(channel).sum());
        assertEquals(backlogs(channel).sum() >> 12 << 12, MemoryBudget.getQueuedBytes());
    }

    @Test
    void shouldCloseChannelsBeyondTheCeilingByItself() {
        listen();
        Channel great = congested(300_000);
        long closedBefore = MemoryBudget.getClosed();
        MemoryBudget.setLimit(200_000);
        Await.done(great.getCloseFuture(), "the close");
        assertEquals(Kind.OVERFLOW, great.getCloseReason().kind());
        Await.until(() -> MemoryBudget.getClosed() > closedBefore, "the count of closed channels");
    }

    @Test
    void shouldCountAChannelThatWroteBeyondItsShare() {
        listen();
        Channel channel = congested(190_000);
        long closedBefore = MemoryBudget.getClosed();
        MemoryBudget.setLimit(200_000);
        channel.write(ChannelBuffers.wrappedBuffer(new byte[100_000])); // begins below the ceiling
        channel.write(ChannelBuffers.wrappedBuffer(new byte[100_000]));
        Await.done(channel.getCloseFuture(), "the close");
        assertEquals(Kind.OVERFLOW, channel.getCloseReason().kind());
        Await.until(() -> MemoryBudget.getClosed() == closedBefore + 1, "the count of closed channels");
    }

    @Test
    void shouldForgetChannelsThatBecomeWritableOrClose() {
        listen();
        Channel closed = congested(300_000);
        Channel relieved = congested(300_000);
        assertTrue(CongestedChannels.now().containsAll(List.of(closed, relieved)));
        Await.success(closed.close(), "the close");
        relieved.setUserDefinedWritability(1, false);
        assertTrue(CongestedChannels.now().contains(relieved));
        relieved.close();
        relieved.setUserDefinedWritability(2, false);
        assertTrue(CongestedChannels.now().stream().noneMatch(queue -> queue == closed || queue == relieved));
    }

    @Test
    void shouldRefuseANegativeCeiling() {
        assertEquals(
                "bytes < 0: -1",
                assertThrows(IllegalArgumentException.class, () -> MemoryBudget.setLimit(-1))
                        .getMessage());
    }
}
