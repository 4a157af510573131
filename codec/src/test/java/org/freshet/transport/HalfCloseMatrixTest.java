package org.freshet.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.Channels;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdownException;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One side ends its output and keeps reading, over every pair of transports. */
class HalfCloseMatrixTest {
    private static final int LARGE_BYTES = 3_000_000;

    private static ChannelFuture write(Channel channel, String text) {
        return channel.write(copiedBuffer(text, ISO_8859_1));
    }

    private static Rig halfClosing(Pair pair) {
        Rig rig = pair.rig();
        rig.server().setOption("child.allowHalfClosure", true);
        return rig;
    }

    /** Counts received bytes, and answers at the end of the input. */
    private static final class Counter extends SimpleChannelUpstreamHandler {
        private int received;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            received += ((ChannelBuffer) e.getMessage()).readableBytes();
        }

        @Override
        public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) {
            write(ctx.getChannel(), "received " + received);
            Channels.shutdownOutput(ctx.getChannel());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDeliverEverythingWrittenBeforeTheEndAndThenReadTheAnswer(Pair pair) {
        try (Rig rig = halfClosing(pair)) {
            Channel server = rig.listen(pair.freeAddress(), Counter::new);
            Recorder made = new Recorder();
            Channel client = rig.connect(server.getLocalAddress(), made);
            ChannelFuture written = client.write(wrappedBuffer(new byte[LARGE_BYTES]));
            ChannelFuture ended = Channels.shutdownOutput(client);
            Await.success(ended, "the end of the output");
            assertTrue(written.isSuccess());
            made.awaitText("received " + LARGE_BYTES);
            made.awaitClosed(); // both directions have ended
            assertEquals(List.of(), made.failures());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailWritesAfterTheEndWithTheReason(Pair pair) {
        try (Rig rig = halfClosing(pair)) {
            Recorder accepted = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Channel client = rig.connect(server.getLocalAddress());
            write(client, "last");
            ChannelFuture ended = Channels.shutdownOutput(client);
            ChannelFuture late = write(client, "late");
            Await.success(ended, "the end of the output");
            ChannelFuture later = write(client, "later");
            for (ChannelFuture refused : List.of(late, later)) {
                Throwable cause = Await.failure(refused, "a write after the end");
                assertInstanceOf(OutputShutdownException.class, cause);
                assertTrue(cause.getMessage().contains("shutdownOutput"), cause::getMessage);
            }
            Await.success(Channels.shutdownOutput(client), "the second end");
            accepted.awaitEvent("inputShutdown");
            assertEquals("last", accepted.text());
            assertTrue(client.isOpen() && client.isConnected());
            write(accepted.channel(), "answer");
            Await.success(client.close(), "the close");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseAtTheEndOfTheInputUnlessHalfClosureIsAllowed(Pair pair) {
        try (Rig rig = pair.rig()) {
            Recorder accepted = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Recorder made = new Recorder();
            Channel client = rig.connect(server.getLocalAddress(), made);
            write(client, "all");
            Await.success(Channels.shutdownOutput(client), "the end of the output");
            accepted.awaitClosed();
            assertEquals("all", accepted.text());
            assertFalse(accepted.events().contains("inputShutdown"));
            made.awaitClosed();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportTheEndOfTheInputOnlyWhileReadingIsOn(Pair pair) {
        try (Rig rig = halfClosing(pair)) {
            Recorder accepted = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Channel client = rig.connect(server.getLocalAddress());
            accepted.awaitEvent("connected");
            Await.success(accepted.channel().setReadable(false), "the suspension");
            write(client, "x");
            Channels.shutdownOutput(client);
            Await.success(write(accepted.channel(), "still here"), "a write meanwhile");
            assertFalse(accepted.events().contains("inputShutdown"));
            accepted.channel().setReadable(true);
            accepted.awaitEvent("inputShutdown");
            assertEquals("x", accepted.text());
            accepted.channel().setReadable(false);
            Await.success(accepted.channel().setReadable(true), "reading after the end");
            for (int turn = 0; turn < 3; turn++) { // a loop that still waited for input would detect the end again
                Await.success(accepted.channel().getPipeline().execute(() -> {}), "a task");
            }
            Await.success(accepted.channel().close(), "the close");
            assertEquals(
                    1,
                    accepted.events().stream().filter("inputShutdown"::equals).count(),
                    () -> "" + accepted.events());
        }
    }

    /** The end of the input, for a handler that closes in that event, or ends its output before it. */
    @ParameterizedTest
    @EnumSource
    void shouldCloseOnceBothDirectionsHaveEndedWhicheverIsFirst(Pair pair) {
        try (Rig rig = halfClosing(pair)) {
            rig.client().setOption("allowHalfClosure", true);
            Recorder accepted = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Recorder made = new Recorder();
            Channel client = rig.connect(server.getLocalAddress(), made);
            accepted.awaitEvent("connected");
            Channels.shutdownOutput(accepted.channel());
            made.awaitEvent("inputShutdown");
            assertTrue(client.isOpen());
            ChannelFuture written = write(client, "the rest");
            Await.success(Channels.shutdownOutput(client), "the end of the output");
            assertTrue(written.isSuccess());
            made.awaitClosed();
            accepted.awaitClosed();
            assertEquals("the rest", accepted.text());
            List<String> ends = List.of("disconnected", "unbound", "closed");
            assertEquals(
                    ends,
                    made.states()
                            .subList(made.states().size() - 3, made.states().size()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayQueuedBehindAWriteThatAPeerBlocks(Pair pair) {
        try (Rig rig = halfClosing(pair)) {
            Recorder accepted = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Recorder made = new Recorder();
            Channel client = rig.connect(server.getLocalAddress(), made);
            accepted.awaitEvent("connected");
            Await.success(accepted.channel().setReadable(false), "the suspension");
            AtomicInteger order = new AtomicInteger();
            CountDownLatch ended = new CountDownLatch(1);
            Thread writer = new Thread(
                    () -> { // blocks over blocking transports
                        client.write(wrappedBuffer(new byte[20_000_000])).addListener(f -> order.compareAndSet(0, 1));
                        Channels.shutdownOutput(client).addListener(f -> {
                            order.compareAndSet(1, f.isSuccess() ? 2 : -1);
                            ended.countDown();
                        });
                    });
            writer.start();
            assertEquals(1, ended.getCount());
            accepted.channel().setReadable(true);
            Await.latch(ended, "the end of the output");
            Await.end(writer);
            assertEquals(2, order.get());
            accepted.awaitEvent("inputShutdown");
            accepted.channel().close();
            made.awaitClosed();
        }
    }

    /** Not over the local transport, which still delivers earlier writes after a close. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LOCAL")
    void shouldFailTheEndThatACloseOvertakes(Pair pair) {
        try (Rig rig = halfClosing(pair)) {
            Recorder accepted = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Recorder made = new Recorder();
            Channel client = rig.connect(server.getLocalAddress(), made);
            accepted.awaitEvent("connected");
            Await.success(accepted.channel().setReadable(false), "the suspension");
            ChannelFuture[] ended = new ChannelFuture[1];
            CountDownLatch written = new CountDownLatch(1);
            Thread writer = new Thread(() -> {
                client.write(wrappedBuffer(new byte[20_000_000])).addListener(f -> written.countDown());
                ended[0] = Channels.shutdownOutput(client);
            });
            writer.start();
            if (pair == Pair.NIO_NIO
                    || pair == Pair.OIO_NIO
                    || pair == Pair.UNIX) { // otherwise the write blocks until the close
                Await.end(writer);
            }
            Await.success(client.close(), "the close");
            Await.end(writer);
            Await.latch(written, "the end of the write");
            assertInstanceOf(ClosedChannelException.class, Await.failure(ended[0], "the end of the output"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailWithoutAConnection(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            Throwable cause = Await.failure(Channels.shutdownOutput(server), "the end of a server's output");
            assertInstanceOf(UnsupportedOperationException.class, cause);
            Channel client = rig.client().getFactory().newChannel(Channels.pipeline(new Recorder()));
            Await.failure(Channels.shutdownOutput(client), "the end before there is a connection");
            assertTrue(client.isOpen());
            client.close();
            assertInstanceOf(
                    ClosedChannelException.class,
                    Await.failure(Channels.shutdownOutput(client), "the end of a closed channel"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSupportTheOptionByKeyAndConstant(Pair pair) {
        try (Rig rig = pair.rig()) {
            rig.client().setOption("allowHalfClosure", "true");
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            Channel client = rig.connect(server.getLocalAddress());
            assertEquals(true, client.getConfig().getOption(ChannelOption.ALLOW_HALF_CLOSURE));
            client.getConfig().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
            assertEquals(false, client.getConfig().getOptions().get("allowHalfClosure"));
        }
    }

    /** Awaits the end where it was requested, on the I/O thread. */
    @ParameterizedTest
    @EnumSource
    void shouldEndTheOutputForAHandlerThatWaits(Pair pair) {
        try (Rig rig = pair.rig()) {
            CountDownLatch failed = new CountDownLatch(1);
            Channel server = rig.listen(pair.freeAddress(), () -> new Recorder() {
                @Override
                protected void handle(ChannelHandlerContext ctx, ChannelEvent e) {
                    if (e instanceof MessageEvent) {
                        write(ctx.getChannel(), "bye");
                        if (pair != Pair.LOCAL) { // there the other end, on the same thread, has to read it
                            Channels.shutdownOutput(ctx.getChannel()).awaitUninterruptibly();
                            if (write(ctx.getChannel(), "late")
                                            .awaitUninterruptibly()
                                            .getCause()
                                    instanceof OutputShutdownException) {
                                failed.countDown();
                            }
                        } else {
                            Channels.shutdownOutput(ctx.getChannel());
                            failed.countDown();
                        }
                    }
                }
            });
            Recorder made = new Recorder();
            write(rig.connect(server.getLocalAddress(), made), "x");
            Await.latch(failed, "the failure of the late write");
            made.awaitClosed();
            assertEquals("bye", made.text());
        }
    }

    // ---- against plain sockets --------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldLetAPlainSocketReadTheEndWhileStillReading(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            Recorder accepted = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                accepted.awaitEvent("connected");
                write(accepted.channel(), "answer");
                Channels.shutdownOutput(accepted.channel());
                assertEquals("answer", new String(peer.readToEnd(), ISO_8859_1));
                peer.send("still sending");
                accepted.awaitText("still sending");
                peer.endOutput();
                accepted.awaitClosed();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldAnswerAPlainSocketThatHasEndedItsOutput(Pair pair) throws Exception {
        try (Rig rig = halfClosing(pair)) {
            Channel server = rig.listen(pair.freeAddress(), Counter::new);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("request").endOutput();
                assertEquals("received 7", new String(peer.readToEnd(), ISO_8859_1));
            }
        }
    }

    /** A reset is a failure in either half. */
    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldCloseWhenThePeerResetsAfterTheOutputEnded(Pair pair) throws Exception {
        try (Rig rig = pair.rig()) {
            Recorder accepted = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
            accepted.awaitEvent("connected");
            Await.success(Channels.shutdownOutput(accepted.channel()), "the end of the output");
            peer.awaitEnd();
            peer.reset();
            accepted.awaitClosed();
        }
    }
}
