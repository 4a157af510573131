package org.freshet.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any two requests take effect in the order in which they were made, whichever threads make them, over the transports that carry
 * requests out on the calling thread.
 */
class BlockingRequestOrderTest {
    enum Request {
        SUSPEND(channel -> channel.setReadable(false)),
        RESUME(channel -> channel.setReadable(true)),
        WRITE_A(channel -> channel.write(message("A"))),
        WRITE_B(channel -> channel.write(message("B"))),
        CLOSE(Channel::close);

        private final Function<Channel, ChannelFuture> maker;

        Request(Function<Channel, ChannelFuture> maker) {
            this.maker = maker;
        }

        ChannelFuture make(Channel channel) {
            return maker.apply(channel);
        }

        private static Object message(String text) {
            return ChannelBuffers.copiedBuffer(text, StandardCharsets.ISO_8859_1);
        }
    }

    /** Where the two requests are made. */
    enum Threads {
        OTHER_THEN_IO,
        IO_THEN_OTHER,
        IO_THEN_IO,
        OTHER_THEN_OTHER
    }

    static Stream<Arguments> pairs() {
        List<Arguments> all = new ArrayList<>();
        for (Pair pair : List.of(Pair.OIO_NIO, Pair.OIO_OIO, Pair.LOCAL)) {
            for (Threads threads : Threads.values()) {
                for (Request first : Request.values()) {
                    for (Request second : Request.values()) {
                        all.add(Arguments.of(pair, threads, first, second));
                    }
                }
            }
        }
        return all.stream();
    }

    /** In its messageReceived, on the I/O thread, makes the requests that are due there. */
    private static final class Requester extends Recorder {
        private final CountDownLatch inside = new CountDownLatch(1);
        private final CompletableFuture<Runnable> script = new CompletableFuture<>();
        private final CountDownLatch scriptEnded = new CountDownLatch(1);

        @Override
        protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (e instanceof MessageEvent && inside.getCount() > 0) {
                inside.countDown();
                Await.result(script, "the script").run();
                scriptEnded.countDown();
            }
            super.handle(ctx, e);
        }
    }

    @ParameterizedTest(name = "{0}, {1}: {2}, {3}")
    @MethodSource("pairs")
    void shouldTakeEffectInTheOrderInWhichTheyWereMade(Pair pair, Threads threads, Request first, Request second) {
        Requester server = new Requester();
        Recorder client = new Recorder();
        try (Rig rig = pair.rig()) {
            Channel bound = rig.listen(pair.freeAddress(), () -> server);
            Channel peer = rig.connect(bound.getLocalAddress(), client);
            Thread sender = new Thread(() -> peer.write(Request.message("x"))); // runs the handlers itself over LOCAL
            sender.start();
            Await.latch(server.inside, "the message");
            List<ChannelFuture> made = makeBoth(server, threads, first, second);
            Await.end(sender);
            check(first, second, made, server, client, peer);
        }
    }

    private static List<ChannelFuture> makeBoth(Requester server, Threads threads, Request first, Request second) {
        Channel channel = server.channel();
        AtomicReference<ChannelFuture> one = new AtomicReference<>();
        AtomicReference<ChannelFuture> two = new AtomicReference<>();
        Runnable makeFirst = () -> one.set(first.make(channel));
        Runnable makeSecond = () -> two.set(second.make(channel));
        CountDownLatch firstMade = new CountDownLatch(1);
        CountDownLatch secondMade = new CountDownLatch(1);
        switch (threads) {
            case OTHER_THEN_IO -> {
                makeFirst.run();
                server.script.complete(makeSecond);
            }
            case IO_THEN_OTHER -> {
                server.script.complete(() -> {
                    makeFirst.run();
                    firstMade.countDown();
                    Await.latch(secondMade, "the second request");
                });
                Await.latch(firstMade, "the first request");
                makeSecond.run();
                secondMade.countDown();
            }
            case IO_THEN_IO ->
                server.script.complete(() -> {
                    makeFirst.run();
                    makeSecond.run();
                });
            case OTHER_THEN_OTHER -> {
                makeFirst.run();
                Thread other = new Thread(makeSecond);
                other.start();
                Await.end(other);
                server.script.complete(() -> {});
            }
        }
        Await.latch(server.scriptEnded, "the handler");
        return List.of(one.get(), two.get());
    }

    private static void check(
            Request first, Request second, List<ChannelFuture> made, Recorder server, Recorder client, Channel peer) {
        StringBuilder sent = new StringBuilder();
        boolean readable = true;
        boolean open = true;
        List<Request> requests = List.of(first, second);
        for (int i = 0; i < 2; i++) {
            Request request = requests.get(i);
            if (request == Request.WRITE_A || request == Request.WRITE_B) {
                if (open) {
                    sent.append(request == Request.WRITE_A ? "A" : "B");
                } else {
                    assertInstanceOf(
                            ClosedChannelException.class, Await.failure(made.get(i), "a write after the close"));
                }
            } else if (request == Request.CLOSE) {
                open = false;
                Await.success(made.get(i), "the close");
            } else {
                readable = request == Request.RESUME;
                Await.done(made.get(i), "the change of interest");
            }
        }
        client.awaitText(sent.toString());
        if (!open) {
            client.awaitClosed();
            server.awaitClosed();
            assertEquals("closed", server.events().get(server.events().size() - 1));
        } else {
            assertEquals(readable, server.channel().isReadable());
            assertTrue(server.channel().isOpen());
            if (readable) {
                peer.write(Request.message("y"));
                server.awaitText("xy");
            }
        }
        assertEquals(sent.toString(), client.text());
    }
}
