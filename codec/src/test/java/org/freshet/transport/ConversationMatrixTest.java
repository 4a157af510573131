package org.freshet.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.execution.BlockingConnection;
import org.freshet.handler.execution.ConversationHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Conversations with slow peers, over every pair of transports. */
class ConversationMatrixTest {
    private static final int MESSAGE_BYTES = 256 * 1024;
    private static final int MESSAGES = 60; // more than the system's buffers hold

    private static int size(Object message) {
        return ((ChannelBuffer) message).readableBytes();
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerAndClose(Pair pair) {
        try (Rig rig = pair.rig()) {
            ConversationHandler greeter = new ConversationHandler(connection -> {
                connection.write(copiedBuffer("name? ", ISO_8859_1));
                String name = ((ChannelBuffer) connection.read()).toString(ISO_8859_1);
                connection.write(copiedBuffer("hello " + name, ISO_8859_1));
            });
            Channel server = rig.listen(pair.freeAddress(), () -> greeter);
            Recorder client = new Recorder();
            Channel channel = rig.connect(server.getLocalAddress(), client);
            client.awaitText("name? ");
            channel.write(copiedBuffer("Ann", ISO_8859_1));
            client.awaitText("name? hello Ann");
            client.awaitClosed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadNoMoreThanTheConversationReads(Pair pair) {
        CountDownLatch mayRead = new CountDownLatch(1);
        CompletableFuture<BlockingConnection> begun = new CompletableFuture<>();
        CompletableFuture<Long> read = new CompletableFuture<>();
        try (Rig rig = pair.rig()) {
            ConversationHandler reader = new ConversationHandler(connection -> {
                begun.complete(connection);
                mayRead.await();
                long bytes = 0;
                for (Object m = connection.read(); m != null; m = connection.read()) {
                    bytes += size(m);
                }
                read.complete(bytes);
            });
            Channel server = rig.listen(pair.freeAddress(), () -> reader);
            Channel client = rig.connect(server.getLocalAddress());
            Thread writer = new Thread(
                    () -> { // a write over OIO blocks
                        for (int i = 0; i < MESSAGES; i++) {
                            client.write(wrappedBuffer(new byte[MESSAGE_BYTES]));
                        }
                        client.write(copiedBuffer("end", ISO_8859_1)).addListener(sent -> client.close());
                    });
            writer.start();
            Channel accepted = Await.result(begun, "the conversation").channel();
            Await.until(() -> !accepted.isReadable(), "the suspension of reading");
            mayRead.countDown();

            assertEquals((long) MESSAGES * MESSAGE_BYTES + 3, Await.result(read, "all bytes"));
            Await.end(writer);
        }
    }

    /** Counts received bytes. */
    private static final class Counter extends SimpleChannelUpstreamHandler {
        private final CompletableFuture<Long> all = new CompletableFuture<>();
        private long bytes;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            bytes += size(e.getMessage());
            if (bytes == (long) MESSAGES * MESSAGE_BYTES) {
                all.complete(bytes);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteNoMoreThanAPeerReads(Pair pair) {
        CompletableFuture<BlockingConnection> begun = new CompletableFuture<>();
        CountDownLatch mayWrite = new CountDownLatch(1);
        try (Rig rig = pair.rig()) {
            ConversationHandler writer = new ConversationHandler(connection -> {
                begun.complete(connection);
                mayWrite.await();
                for (int i = 0; i < MESSAGES; i++) {
                    connection.write(wrappedBuffer(new byte[MESSAGE_BYTES]));
                }
            });
            Channel server = rig.listen(pair.freeAddress(), () -> writer);
            Counter counter = new Counter();
            Channel client = rig.connect(server.getLocalAddress(), counter);
            Await.success(client.setReadable(false), "the suspension");
            Channel accepted = Await.result(begun, "the conversation").channel();
            mayWrite.countDown();
            if (pair != Pair.OIO_NIO && pair != Pair.OIO_OIO) {
                Await.until(() -> !accepted.isWritable(), "the peer to be slow");
            }
            client.setReadable(true);

            assertEquals((long) MESSAGES * MESSAGE_BYTES, Await.result(counter.all, "all bytes"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldRefuseToWaitOnTheIoThread(Pair pair) {
        CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        try (Rig rig = pair.rig()) {
            ConversationHandler talker = new ConversationHandler(connection -> {
                connection.channel().getPipeline().execute(() -> {
                    try {
                        connection.read();
                        refusal.complete(null);
                    } catch (Throwable t) {
                        refusal.complete(t);
                    }
                });
                connection.read();
            });
            Channel server = rig.listen(pair.freeAddress(), () -> talker);
            rig.connect(server.getLocalAddress());
            assertInstanceOf(IllegalStateException.class, Await.result(refusal, "the refusal"));
        }
    }
}
