package org.freshet.channel.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes that the other end does not read immediately. */
class LocalWritingTest {
    private static final LocalAddress NAME = new LocalAddress("local-writing-test");

    private final Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory());
    private final Recorder child = new Recorder();
    private final Recorder events = new Recorder();

    @AfterEach
    void closeAll() {
        rig.close();
    }

    private Channel connectToUnreadChild() {
        rig.listen(NAME, () -> child);
        Channel client = rig.connect(NAME, events);
        child.channel().setReadable(false);
        return client;
    }

    private static List<ChannelFuture> writeMany(Channel channel, int count) {
        List<ChannelFuture> writes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            writes.add(channel.write(i));
        }
        return writes;
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    @Test
    void shouldCompleteQueuedWritesBeforeTheCloseFuture() {
        Channel client = connectToUnreadChild();
        List<ChannelFuture> writes = writeMany(client, 3);
        List<Boolean> doneAtClose = new ArrayList<>();
        client.getCloseFuture().addListener(closed -> writes.forEach(write -> doneAtClose.add(write.isDone())));
        Await.success(client.close(), "the close");
        assertEquals(List.of(true, true, true), doneAtClose);
    }

    @Test
    void shouldCloseTheFilesOfRegionsThatAreNotDelivered(@TempDir Path folder) throws IOException {
        Path path = Files.writeString(folder.resolve("file"), "content");
        Channel client = connectToUnreadChild();
        try (FileChannel queued = FileChannel.open(path);
                FileChannel late = FileChannel.open(path)) {
            ChannelFuture first = client.write(new DefaultFileRegion(queued, 0, 7, true));
            child.channel().close();
            Await.until(first::isDone, "the write");
            assertFalse(queued.isOpen());
            Await.until(() -> !client.isOpen(), "the close");
            ChannelFuture second = client.write(new DefaultFileRegion(late, 0, 7, true));
            Await.until(second::isDone, "the write");
            assertFalse(late.isOpen());
        }
    }

    @Test
    void shouldDeliverTheQueuedWritesOfAClosedWriter() {
        Channel client = connectToUnreadChild();
        List<ChannelFuture> writes = writeMany(client, 100);
        client.close();
        writes.forEach(write -> Await.success(write, "a write"));
        child.channel().setReadable(true);
        child.awaitClosed();
        assertEquals(100, child.events().stream().filter("message"::equals).count());
    }

    @Test
    void shouldFailQueuedWritesBeforeTheCloseFutureOfTheReceiver() {
        Channel client = connectToUnreadChild();
        List<ChannelFuture> writes = writeMany(client, 3);
        List<Boolean> failedAtClose = new ArrayList<>();
        child.channel()
                .getCloseFuture()
                .addListener(closed -> writes.forEach(write -> failedAtClose.add(write.getCause() != null)));
        child.channel().close();
        assertEquals(List.of(true, true, true), failedAtClose);
    }

    @Test
    void shouldFailQueuedWritesWhenAnUnreadingWriterLosesItsPeer() {
        Channel client = connectToUnreadChild();
        client.setReadable(false);
        List<ChannelFuture> writes = writeMany(client, 3);
        child.channel().close();
        writes.forEach(write -> assertInstanceOf(ClosedChannelException.class, Await.failure(write, "a write")));
        assertInstanceOf(ClosedChannelException.class, Await.failure(client.write("late"), "a late write"));
        client.setReadable(true);
        events.awaitClosed();
    }

    @Test
    void shouldCompleteAWriteThatAHandlerFollowsWithAClose() {
        rig.listen(NAME, () -> child);
        Recorder closing = new Recorder() {
            @Override
            protected void handle(ChannelHandlerContext ctx, ChannelEvent e) {
                if (e instanceof ChannelStateEvent state
                        && state.getState() == ChannelState.CONNECTED
                        && state.getValue() != null) {
                    ctx.getChannel().write("x");
                    ctx.getChannel().close();
                }
            }
        };
        rig.connect(NAME, new SimpleChannelUpstreamHandler(), closing);
        closing.awaitClosed();
        assertEquals(
                List.of("open", "bound", "connected", "written", "disconnected", "unbound", "closed"),
                closing.events());
        assertTrue(child.awaitClosed().events().contains("message"));
    }

    @Test
    void shouldLetAHandlerAwaitItsWritesAndItsClose() {
        Recorder awaiting = new Recorder() {
            @Override
            protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                if (e instanceof MessageEvent) {
                    Await.success(ctx.getChannel().write("first"), "the first write");
                    Await.success(ctx.getChannel().write("second"), "the second write");
                    Await.success(ctx.getChannel().close(), "the close");
                }
                super.handle(ctx, e);
            }
        };
        rig.listen(NAME, () -> awaiting);
        Channel client = rig.connect(NAME, events);
        client.write("x");
        awaiting.awaitClosed();
        assertEquals(List.of(), awaiting.failures());
        assertEquals(
                2,
                events.awaitClosed().events().stream().filter("message"::equals).count());
    }

    // ---- water marks ------------------------------------------------------------------------------------------------

    @Test
    void shouldNotBeWritableWhileMoreThanTheHighWaterMarkIsPending() {
        Channel client = connectToUnreadChild();
        int written = 0;
        while (client.isWritable() && written < 10_000) {
            client.write(ChannelBuffers.wrappedBuffer(new byte[1000]));
            written++;
        }
        assertTrue(written >= 55 && written <= 60, written + " KB were written");
        assertEquals(Channel.OP_READ_WRITE, client.getInterestOps());
        assertEquals(1, interestChanges());
        child.channel().setReadable(true);
        assertTrue(client.isWritable());
        assertEquals(2, interestChanges());
    }

    private long interestChanges() {
        return events.events().stream().filter("interest"::equals).count();
    }

    @Test
    void shouldCountMessagesThatAreNotBuffers() {
        Channel client = connectToUnreadChild();
        int written = 0;
        while (client.isWritable() && written < 10_000) {
            client.write(new Object());
            written++;
        }
        assertEquals(64 * 1024 / WriteAccount.MESSAGE_BYTES + 1, written);
    }

    @Test
    void shouldRespectTheConfiguredWaterMarks() {
        rig.client().setOption(ChannelOption.WRITE_BUFFER_HIGH_WATER_MARK.key(), 2000);
        rig.client().setOption(ChannelOption.WRITE_BUFFER_LOW_WATER_MARK.key(), 1000);
        Channel client = connectToUnreadChild();
        client.write("m".repeat(1000));
        assertTrue(client.isWritable());
        client.write("m".repeat(1000));
        assertFalse(client.isWritable());
        Map<String, Object> crossed = Map.of("writeBufferHighWaterMark", 5, "writeBufferLowWaterMark", 6);
        assertThrows(IllegalArgumentException.class, () -> client.getConfig().setOptions(crossed));
        assertEquals(2000, client.getConfig().getOption(ChannelOption.WRITE_BUFFER_HIGH_WATER_MARK));
    }

    @Test
    void shouldCheckChildOptionsWhenAServerIsBoundAndWhileItRuns() {
        rig.server().setOption("child.writeBufferHighWaterMark", 10);
        ChannelException refused = assertThrows(ChannelException.class, () -> rig.listen(NAME, () -> child));
        assertInstanceOf(IllegalArgumentException.class, refused.getCause());
        rig.server().setOption("child.writeBufferLowWaterMark", 10);
        rig.listen(NAME, () -> child);
        assertThrows(IllegalArgumentException.class, () -> rig.server().setOption("child.writeBufferLowWaterMark", 11));
        rig.server().setOption("child.writeBufferLowWaterMark", 9);
        rig.connect(NAME);
        assertEquals(9, child.channel().getConfig().getOption(ChannelOption.WRITE_BUFFER_LOW_WATER_MARK));
    }

    @Test
    void shouldStayWritableForAReaderThatKeepsUp() {
        rig.listen(NAME, () -> child);
        Channel client = rig.connect(NAME, events);
        for (int i = 0; i < 1000; i++) {
            client.write("message");
            assertTrue(client.isWritable());
        }
        assertEquals(0, interestChanges());
    }

    /** A writer on another thread and a reader that pauses: in any interleaving the writer continues in the end. */
    @Test
    void shouldBecomeWritableAgainInAnyInterleavingOfWritesAndReads() {
        AtomicInteger received = new AtomicInteger();
        AtomicReference<Channel> reader = new AtomicReference<>();
        rig.listen(NAME, () -> new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                reader.set(ctx.getChannel());
            }

            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                received.incrementAndGet();
            }
        });
        Channel client = rig.connect(NAME, events);
        int messages = 20_000;
        Thread toggler = new Thread(() -> {
            while (received.get() < messages && client.isOpen()) {
                reader.get().setReadable(false);
                reader.get().setReadable(true);
            }
        });
        toggler.start();
        for (int i = 0; i < messages; i++) {
            Await.until(client::isWritable, () -> "writability after " + received + " messages");
            client.write("message");
        }
        Await.until(() -> received.get() == messages, () -> "all messages; received " + received);
        Await.end(toggler);
        Await.until(client::isWritable, "writability at the end");
        Await.success(client.close(), "the close");
        assertEquals(0, interestChanges() % 2);
    }
}
