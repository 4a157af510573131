package org.freshet.transport;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.local.LocalServerChannel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Handlers that act at unusual moments, over every pair of transports. */
class EdgeMatrixTest {
    @ParameterizedTest
    @EnumSource
    void shouldFailOperationsAServerDoesNotSupport(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            List<ChannelFuture> refused = new ArrayList<>();
            refused.add(Channels.write(server, wrappedBuffer(new byte[1])));
            refused.add(Channels.connect(server, server.getLocalAddress()));
            refused.add(Channels.disconnect(server));
            refused.add(Channels.setInterestOps(server, Channel.OP_NONE));
            for (ChannelFuture future : refused) {
                assertInstanceOf(UnsupportedOperationException.class, Await.failure(future, "the request"));
            }
            assertTrue(server.isBound());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailARequestToOpen(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            Channel client = rig.connect(server.getLocalAddress());
            for (Channel channel : List.of(server, client)) {
                ChannelFuture future = Channels.future(channel);
                channel.getPipeline()
                        .sendDownstream(
                                new DownstreamChannelStateEvent(channel, future, ChannelState.OPEN, Boolean.TRUE));
                assertInstanceOf(UnsupportedOperationException.class, Await.failure(future, "the request"));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotConnectACancelledChannel(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            Recorder made = new Recorder();
            Channel client = rig.client().getFactory().newChannel(Channels.pipeline(made, new Canceller()));
            assertTrue(client.connect(server.getLocalAddress()).isCancelled());
            assertFalse(made.awaitClosed().events().contains("connected"), () -> "" + made.events());
        }
    }

    /** Cancels a connect before it reaches the transport. */
    private static final class Canceller extends SimpleChannelDownstreamHandler {
        @Override
        public void connectRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
            e.getFuture().cancel();
            ctx.sendDownstream(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotifyAllOfAParentsHandlersAlikeOfAChildThatOneOfThemCloses(Pair pair) {
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        try (Rig rig = pair.rig()) {
            rig.server().setParentHandler(new SimpleChannelUpstreamHandler() {
                @Override
                public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
                    ctx.getPipeline().addLast("second", new ChildNotes(told));
                    ctx.sendUpstream(e);
                }

                @Override
                public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
                    e.getChildChannel().close();
                    ctx.sendUpstream(e);
                }
            });
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            Recorder made = new Recorder();
            rig.connecting(server.getLocalAddress(), made);
            made.awaitClosed();
            Await.until(() -> told.size() >= 2, () -> "both ends of the child's life; received " + told);
            assertEquals(List.of("childOpen", "childClosed"), told);
        }
    }

    private static final class ChildNotes extends SimpleChannelUpstreamHandler {
        private final List<String> told;

        ChildNotes(List<String> told) {
            this.told = told;
        }

        @Override
        public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
            told.add("childOpen");
        }

        @Override
        public void childChannelClosed(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
            told.add("childClosed");
        }
    }

    /** Not over the local transport, where nothing is sent before the other end has read it. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "LOCAL")
    void shouldReportWritesSentRightBeforeAClose(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            for (int round = 0; round < 20; round++) {
                Recorder made = new Recorder();
                Channel client = rig.connect(server.getLocalAddress(), made);
                ChannelFuture written = client.write(wrappedBuffer("last words".getBytes()));
                client.close();
                made.awaitClosed();
                assertTrue(written.isSuccess(), () -> "" + written);
                assertEquals(
                        List.of("open", "bound", "connected", "written", "disconnected", "unbound", "closed"),
                        made.events());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendNoEventsAfterTheEnd(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            Recorder made = new Recorder();
            Channel client = rig.connect(server.getLocalAddress(), made);
            Await.success(client.close(), "the close");
            made.awaitClosed();
            Await.done(client.setReadable(false), "a change of interest");
            client.setUserDefinedWritability(1, false);
            Await.done(client.getPipeline().execute(() -> {}), "later events");
            assertEquals("closed", made.events().get(made.events().size() - 1));
        }
    }

    /** Looks for the end of congestion, or an unsendable message, reported after the end. */
    @ParameterizedTest
    @EnumSource
    void shouldSendNoEventsAfterTheEndWhileOthersWrite(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            for (int round = 0; round < 50; round++) {
                Recorder made = new Recorder();
                Channel client = rig.connect(server.getLocalAddress(), made);
                CountDownLatch writing = new CountDownLatch(2);
                List<Thread> writers = new ArrayList<>();
                for (Object message : List.of(wrappedBuffer(new byte[100_000]), 'x')) {
                    writers.add(new Thread(() -> {
                        for (int i = 0; i < 40; i++) {
                            client.write(message);
                            writing.countDown();
                        }
                    }));
                }
                writers.forEach(Thread::start);
                Await.latch(writing, "the first writes");
                client.close();
                writers.forEach(Await::end);
                made.awaitClosed();
                Await.done(client.getPipeline().execute(() -> {}), "later events");
                assertEquals("closed", made.events().get(made.events().size() - 1), () -> "events: " + made.events());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotBeOpenAfterTheServerWasAskedToClose(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            ChannelFuture close = server.close();
            assertFalse(server.isOpen());
            assertFalse(server.isBound());
            Await.success(close, "the close");
        }
    }

    /**
     * A handler that caught an InterruptedException and restored the flag must not harm other channels of its thread.
     */
    @ParameterizedTest
    @EnumSource
    void shouldContinueWhenAHandlerLeavesItsThreadInterrupted(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Interrupter::new);
            Recorder made = new Recorder();
            Channel client = rig.connect(server.getLocalAddress(), made);
            for (String expected : List.of("a", "ab", "abc")) {
                client.write(
                        wrappedBuffer(expected.substring(expected.length() - 1).getBytes()));
                made.awaitText(expected);
            }
            assertTrue(client.isConnected());
        }
    }

    private static final class Interrupter extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ctx.getChannel().write(e.getMessage());
            if (!(ctx.getChannel().getParent() instanceof LocalServerChannel)) {
                Thread.currentThread().interrupt(); // over the local transport, that may be the test's own thread
            }
        }
    }

    /** The local transport passes objects and sends no files. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "LOCAL")
    void shouldSendAFileRegionWhenAHandlerLeavesItsThreadInterrupted(Pair pair, @TempDir Path dir) throws Exception {
        byte[] content = new byte[100_000];
        Seeds.random().nextBytes(content);
        Path file = Files.write(dir.resolve("content"), content);
        try (Rig rig = pair.rig();
                FileChannel open = FileChannel.open(file)) {
            Channel server = rig.listen(pair.freeAddress(), () -> new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    ctx.getChannel().write(new DefaultFileRegion(open, 0, content.length));
                    Thread.currentThread().interrupt();
                }
            });
            HashingReceiver receiver = new HashingReceiver(content.length);
            Channel client = rig.connect(server.getLocalAddress(), receiver);
            client.write(wrappedBuffer("please".getBytes()));
            Await.latch(receiver.done(), "every byte of the region");
            assertArrayEquals(HashingReceiver.hashOf(content), receiver.hash());
            assertTrue(open.isOpen());
        }
    }

    /** The local transport passes objects and sends no files. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "LOCAL")
    void shouldContinueAfterAFileRegionThatCannotBeReleased(Pair pair, @TempDir Path dir) throws Exception {
        Path file = Files.write(dir.resolve("content"), "region".getBytes());
        try (Rig rig = pair.rig();
                FileChannel open = FileChannel.open(file);
                CapturedLog log = CapturedLog.start()) {
            Recorder accepted = new Recorder();
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Channel client = rig.connect(server.getLocalAddress());
            ChannelFuture region = client.write(new DefaultFileRegion(open, 0, 6, true) {
                @Override
                public void releaseExternalResources() {
                    throw new IllegalStateException("thrown on purpose");
                }
            });
            Await.success(region, "the region");
            Thread another = new Thread(() -> client.write(wrappedBuffer(" and more".getBytes())));
            another.start();
            Await.end(another);
            accepted.awaitText("region and more");
            assertEquals("thrown on purpose", log.only().cause().getMessage());
        }
    }
}
