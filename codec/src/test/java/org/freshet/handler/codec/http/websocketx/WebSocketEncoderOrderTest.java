package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Frames that depend on earlier ones, because the compressor keeps its window from one message to the next. They are
 * written by several threads, and by handlers below the encoder.
 */
class WebSocketEncoderOrderTest {
    private static final String FIRST = "the first of several messages that have much in common";
    private static final String SECOND = "the second of several messages that have much in common";
    private static final String THIRD = "the third of several messages that have much in common";

    private static final PerMessageDeflate TAKEOVER = PerMessageDeflate.builder()
            .serverContextTakeover(true)
            .clientContextTakeover(true)
            .threshold(0)
            .build();

    /** The action of the handler below the encoder when the first message reaches it. */
    private final AtomicReference<Runnable> onFirst = new AtomicReference<>();

    private final WebSocketExtensionSpec agreed = new WebSocketExtensionSpec("permessage-deflate");
    private final WebSocketExtension sender =
            TAKEOVER.accept(agreed, HttpLimits.defaults()).extension();
    private final WebSocketExtension receiver = TAKEOVER.agree(agreed, HttpLimits.defaults());
    private final MemoryChannel server =
            MemoryChannel.connected(new Below(), new WebSocket13FrameEncoder(false, List.of(sender)));

    @AfterEach
    void release() {
        sender.release();
        receiver.release();
    }

    @Test
    void shouldNotMakeAWriterWaitForAHandlerBelowThatIsBusyWithAnother() {
        CountDownLatch secondWritten = new CountDownLatch(1);
        onFirst.set(() -> {
            Thread other = start(() -> {
                server.write(new TextWebSocketFrame(SECOND));
                secondWritten.countDown();
            });
            Await.latch(secondWritten, "the return of the other thread's write");
            Await.end(other);
        });
        server.write(new TextWebSocketFrame(FIRST));
        server.write(new TextWebSocketFrame(THIRD));
        assertEquals(List.of(FIRST, SECOND, THIRD), received());
    }

    @Test
    void shouldSendWritesOfAHandlerBelowAfterTheFrameItIsHandling() {
        onFirst.set(() -> server.write(new TextWebSocketFrame(SECOND)));
        server.write(new TextWebSocketFrame(FIRST));
        assertEquals(List.of(FIRST, SECOND), received());
    }

    @Test
    void shouldNotLetACloseOvertakeTheFramesBeforeIt() {
        server.takeDownstream(); // the request to connect
        List<ChannelFuture> futures = new ArrayList<>();
        onFirst.set(() -> Await.end(start(() -> {
            futures.add(server.write(new TextWebSocketFrame(SECOND)));
            futures.add(server.write(new CloseWebSocketFrame(1000, "")));
            futures.add(server.close());
        })));
        server.write(new TextWebSocketFrame(FIRST));
        List<ChannelEvent> sunk = server.takeDownstream();
        assertEquals(4, sunk.size());
        assertInstanceOf(ChannelStateEvent.class, sunk.get(3), "the last write to reach the transport");
        ChannelBuffer close = (ChannelBuffer) ((MessageEvent) sunk.get(2)).getMessage();
        assertEquals("880203e8", ChannelBuffers.hexDump(close));
        futures.forEach(each -> Await.success(each, "the other thread's write"));
    }

    @Test
    void shouldFailAFrameThatCannotBeEncodedWhicheverThreadEncodesIt() {
        PingWebSocketFrame tooLong = new PingWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[126]));
        AtomicReference<ChannelFuture> refused = new AtomicReference<>();
        onFirst.set(() -> Await.end(start(() -> refused.set(server.write(tooLong)))));
        ChannelFuture first = server.write(new TextWebSocketFrame(FIRST));
        Throwable failure = Await.failure(refused.get(), "the frame that is too long");
        assertEquals(List.of(failure), server.takeCaught());
        Await.success(first, "the frame before it");
        server.write(new TextWebSocketFrame(SECOND));
        assertEquals(List.of(FIRST, SECOND), received());
    }

    @Test
    void shouldSendTheFramesOfManyThreadsInAnOrderThatCanBeInflated() throws Exception {
        int threads = 4;
        int frames = 200;
        CountDownLatch ready = new CountDownLatch(threads);
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            String name = "writer " + i + ", message ";
            writers.add(start(() -> {
                ready.countDown();
                Await.latch(ready, "the other writers");
                for (int n = 0; n < frames; n++) {
                    server.write(new TextWebSocketFrame(name + n + " of several that have much in common"));
                }
            }));
        }
        writers.forEach(Await::end);
        List<String> received = received();
        assertEquals(threads * frames, received.size());
        for (int i = 0; i < threads; i++) {
            String name = "writer " + i + ", message ";
            List<String> own =
                    received.stream().filter(each -> each.startsWith(name)).toList();
            for (int n = 0; n < frames; n++) {
                assertEquals(name + n + " of several that have much in common", own.get(n));
            }
        }
    }

    @Test
    void shouldLetNoFrameFollowACloseFrameHoweverManyThreadsWrite() {
        List<ChannelFuture> late = new ArrayList<>();
        onFirst.set(() -> Await.end(start(() -> {
            server.write(new CloseWebSocketFrame(1000, ""));
            late.add(server.write(new TextWebSocketFrame(SECOND)));
        })));
        server.write(new TextWebSocketFrame(FIRST));
        late.add(server.write(new PingWebSocketFrame()));
        List<String> sent = Frames.describe(server.takeWritten());
        assertEquals(2, sent.size());
        assertEquals("bytes 880203e8", sent.get(1));
        for (ChannelFuture each : late) {
            assertInstanceOf(ClosedChannelException.class, Await.failure(each, "a frame after the close frame"));
        }
    }

    /** Without an extension, frames don't wait for each other; still none follows a close frame that was sent. */
    @Test
    void shouldLetNoFrameFollowACloseFrameWithoutExtensions() {
        MemoryChannel plain = MemoryChannel.connected(new WebSocket13FrameEncoder(false));
        plain.write(new CloseWebSocketFrame(1000, ""));

        assertInstanceOf(
                ClosedChannelException.class,
                Await.failure(plain.write(new TextWebSocketFrame(SECOND)), "a frame after the close frame"));
    }

    /** The writer that is sending is blocked by a limit, and only the close can unblock it. */
    @Test
    void shouldLetACloseOvertakeABlockedWriter() {
        onFirst.set(() -> {
            server.turnWritable(false);
            Thread closer = start(server::close);
            Await.end(closer);
            assertFalse(server.isOpen());
        });
        server.write(new TextWebSocketFrame(FIRST));
    }

    @Test
    void shouldContinueAfterACloseFrameThatCannotBeEncoded() {
        MemoryChannel plain = MemoryChannel.connected(new WebSocket13FrameEncoder(false));
        CloseWebSocketFrame fragment = new CloseWebSocketFrame(false, 0);
        assertFalse(plain.write(fragment).isSuccess());
        Await.success(plain.write(new TextWebSocketFrame(FIRST)), "a frame after the one that was not sent");
    }

    // ---- helpers ----

    private static Thread start(Runnable task) {
        Thread thread = new Thread(task, "writer of a test");
        thread.start();
        return thread;
    }

    /** Inflates the bytes as the peer would. */
    private List<String> received() {
        MemoryChannel client = MemoryChannel.connected(
                new WebSocket13FrameDecoder(false, false, HttpLimits.defaults(), List.of(receiver)));
        server.takeWritten().forEach(client::receive);
        assertEquals(List.of(), client.takeCaught());
        List<Object> frames = client.takeReceived();
        assertFalse(frames.isEmpty(), "nothing was received");
        return frames.stream()
                .map(each -> ((TextWebSocketFrame) each).getText())
                .toList();
    }

    private final class Below extends SimpleChannelDownstreamHandler {
        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            Runnable task = onFirst.getAndSet(null);
            if (task != null) {
                task.run();
            }
            super.writeRequested(ctx, e);
        }
    }
}
