package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.freshet.internal.IoThreadBound;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelsTest {
    private static final SocketAddress ADDRESS = InetSocketAddress.createUnresolved("there", 9);

    /** Exceptions reach the end of the pipeline in this test. */
    private final CapturedLog log = CapturedLog.start();

    private final List<String> up = new ArrayList<>();
    private final PaperChannel channel = new PaperChannel(recorder("below"), recorder("above"));
    private final ChannelHandlerContext below = channel.getPipeline().getContext("0");
    private final ChannelFuture future = Channels.future(channel);

    @AfterEach
    void closeLog() {
        log.close();
    }

    /** Records all upstream events, without the channel's name. */
    private ChannelHandler recorder(String name) {
        return new SimpleChannelUpstreamHandler() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
                up.add(name + ": "
                        + e.toString().substring(e.getChannel().toString().length() + 1));
                ctx.sendUpstream(e);
            }
        };
    }

    private void firesFromBottom(String event, Runnable fire) {
        fires(List.of("below: " + event, "above: " + event), fire);
    }

    private void firesFromAbove(String event, Runnable fire) {
        fires(List.of("above: " + event), fire);
    }

    private void fires(List<String> expected, Runnable fire) {
        up.clear();
        fire.run();
        assertEquals(expected, up);
    }

    // ---- up ----

    @Test
    void shouldFireFromTheBottomOfAChannelsPipeline() {
        firesFromBottom("OPEN", () -> Channels.fireChannelOpen(channel));
        firesFromBottom("BOUND: " + ADDRESS, () -> Channels.fireChannelBound(channel, ADDRESS));
        firesFromBottom("CONNECTED: " + ADDRESS, () -> Channels.fireChannelConnected(channel, ADDRESS));
        firesFromBottom("RECEIVED: m", () -> Channels.fireMessageReceived(channel, "m"));
        firesFromBottom("RECEIVED: m from " + ADDRESS, () -> Channels.fireMessageReceived(channel, "m", ADDRESS));
        firesFromBottom("WRITTEN_AMOUNT: 3", () -> Channels.fireWriteComplete(channel, 3));
        firesFromBottom("INTEREST_CHANGED", () -> Channels.fireChannelInterestChanged(channel));
        firesFromBottom("DISCONNECTED", () -> Channels.fireChannelDisconnected(channel));
        firesFromBottom("UNBOUND", () -> Channels.fireChannelUnbound(channel));
        firesFromBottom("CLOSED", () -> Channels.fireChannelClosed(channel));
        firesFromBottom(
                "EXCEPTION: java.lang.Exception: x", () -> Channels.fireExceptionCaught(channel, new Exception("x")));
    }

    @Test
    void shouldFireFromTheHandlerAfterAContext() {
        firesFromAbove("OPEN", () -> Channels.fireChannelOpen(below));
        firesFromAbove("BOUND: " + ADDRESS, () -> Channels.fireChannelBound(below, ADDRESS));
        firesFromAbove("CONNECTED: " + ADDRESS, () -> Channels.fireChannelConnected(below, ADDRESS));
        firesFromAbove("RECEIVED: m", () -> Channels.fireMessageReceived(below, "m"));
        firesFromAbove("RECEIVED: m from " + ADDRESS, () -> Channels.fireMessageReceived(below, "m", ADDRESS));
        firesFromAbove("WRITTEN_AMOUNT: 3", () -> Channels.fireWriteComplete(below, 3));
        firesFromAbove("INTEREST_CHANGED", () -> Channels.fireChannelInterestChanged(below));
        firesFromAbove("DISCONNECTED", () -> Channels.fireChannelDisconnected(below));
        firesFromAbove("UNBOUND", () -> Channels.fireChannelUnbound(below));
        firesFromAbove("CLOSED", () -> Channels.fireChannelClosed(below));
        firesFromAbove(
                "EXCEPTION: java.lang.Exception: x", () -> Channels.fireExceptionCaught(below, new Exception("x")));
    }

    @Test
    void shouldFireLaterOnTheIoThread() {
        firesLater("WRITTEN_AMOUNT: 3", () -> Channels.fireWriteCompleteLater(channel, 3));
        firesLater("INTEREST_CHANGED", () -> Channels.fireChannelInterestChangedLater(channel));
        firesLater("DISCONNECTED", () -> Channels.fireChannelDisconnectedLater(channel));
        firesLater("UNBOUND", () -> Channels.fireChannelUnboundLater(channel));
        firesLater("CLOSED", () -> Channels.fireChannelClosedLater(channel));
        firesLater(
                "EXCEPTION: java.lang.Exception: x",
                () -> Channels.fireExceptionCaughtLater(channel, new Exception("x")));
        ChannelFuture fired = postponed(() -> Channels.fireExceptionCaughtLater(below, new Exception("x")));
        firesFromAbove("EXCEPTION: java.lang.Exception: x", channel.sink::runPostponed);
        assertTrue(fired.isSuccess());
    }

    private void firesLater(String event, Supplier<ChannelFuture> fire) {
        ChannelFuture fired = postponed(fire);
        firesFromBottom(event, channel.sink::runPostponed);
        assertTrue(fired.isSuccess(), event);
    }

    private ChannelFuture postponed(Supplier<ChannelFuture> fire) {
        channel.sink.postpones = true;
        up.clear();
        ChannelFuture fired = fire.get();
        assertFalse(fired.isDone());
        assertEquals(List.of(), up);
        return fired;
    }

    @Test
    void shouldNotReportThatNothingWasWritten() {
        fires(List.of(), () -> Channels.fireWriteComplete(channel, 0));
        assertTrue(Channels.fireWriteCompleteLater(channel, 0).isSuccess());
        assertThrows(IllegalArgumentException.class, () -> Channels.fireWriteComplete(channel, -1));
        assertThrows(IllegalArgumentException.class, () -> Channels.fireWriteComplete(below, 0));
    }

    @Test
    void shouldNotifyTheParentOnItsOwnThreadWhenAChildOpensAndCloses() {
        channel.sink.postpones = true;
        PaperChannel child = new PaperChannel(channel, Channels.pipeline(recorder("child")), new PaperSink());
        fires(List.of("child: OPEN"), () -> Channels.fireChannelOpen(child));
        firesFromBottom("CHILD_OPEN: " + child.getId(), channel.sink::runPostponed);
        child.closeNow();
        fires(List.of("child: CLOSED"), () -> Channels.fireChannelClosed(child));
        firesFromBottom("CHILD_CLOSED: " + child.getId(), channel.sink::runPostponed);
        ChannelHandlerContext ctx = child.getPipeline().getContext("0");
        Channels.fireChannelOpen(ctx);
        Channels.fireChannelClosed(ctx);
        assertEquals(0, channel.sink.postponed.size(), "events fired by a handler are not reported to the parent");
    }

    /** It can say whether its thread is the current one. */
    private static final class BoundParent extends PaperChannel implements IoThreadBound {
        private boolean runsEvents;

        BoundParent(ChannelHandler handler) {
            super(handler);
        }

        @Override
        public boolean inIoThread() {
            return runsEvents;
        }

        @Override
        public boolean runsEvents() {
            return runsEvents;
        }

        @Override
        public void runLater(Runnable task) {
            throw new AssertionError("not for this test");
        }
    }

    @Test
    void shouldNotifyTheParentImmediatelyIfItsThreadOpensTheChild() {
        BoundParent parent = new BoundParent(recorder("parent"));
        parent.sink.postpones = true;
        PaperChannel child = new PaperChannel(parent, Channels.pipeline(recorder("child")), new PaperSink());
        fires(List.of("child: OPEN"), () -> Channels.fireChannelOpen(child));
        assertEquals(1, parent.sink.postponed.size());
        parent.runsEvents = true;
        String opened = "parent: CHILD_OPEN: " + child.getId();
        fires(List.of(opened, "child: OPEN"), () -> Channels.fireChannelOpen(child));
        assertEquals(1, parent.sink.postponed.size());
    }

    private static int tasksOfParent(ChannelPipeline pipeline) {
        PaperChannel parent = new PaperChannel(pipeline);
        parent.sink.postpones = true;
        PaperChannel child = new PaperChannel(parent, Channels.pipeline(new SimpleChannelHandler()), new PaperSink());
        child.closeNow();
        Channels.fireChannelClosed(child);
        return parent.sink.postponed.size();
    }

    @Test
    void shouldNotDisturbTheParentsThreadWithACloseThatNoHandlerSees() {
        ChannelHandler opens = new SimpleChannelUpstreamHandler() {
            @Override
            public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {}
        };
        assertEquals(0, tasksOfParent(Channels.pipeline(opens, new SimpleChannelHandler())));
    }

    @Test
    void shouldTellTheParentOfACloseIfAHandlerMaySeeIt() {
        ChannelHandler closes = new SimpleChannelHandler() {
            @Override
            public void childChannelClosed(ChannelHandlerContext ctx, ChildChannelStateEvent e) {}
        };
        ChannelUpstreamHandler plain = (ctx, e) -> {};
        ChannelPipeline watching = new DefaultChannelPipeline() {
            @Override
            public void sendUpstream(ChannelEvent e) {}
        };
        watching.addLast("simple", new SimpleChannelHandler());
        assertEquals(1, tasksOfParent(Channels.pipeline(new SimpleChannelHandler(), closes)), "a method of its own");
        assertEquals(1, tasksOfParent(Channels.pipeline(new SimpleChannelHandler(), recorder("all"))), "all events");
        assertEquals(1, tasksOfParent(Channels.pipeline(plain)), "not a Simple handler");
        assertEquals(1, tasksOfParent(watching), "a pipeline of a user");
        assertEquals(1, tasksOfParent(Channels.pipeline()), "nothing but a warning");
    }

    // ---- down ----

    private void sinks(String event, Supplier<ChannelFuture> request) {
        channel.sink.sunk.clear();
        ChannelFuture future = request.get();
        assertEquals(1, channel.sink.sunk.size(), event);
        ChannelEvent e = channel.sink.sunk.get(0);
        assertEquals(channel + " " + event, e.toString());
        assertSame(future, e.getFuture(), event);
        assertSame(channel, future.getChannel(), event);
    }

    private Supplier<ChannelFuture> withFuture(Runnable request) {
        return () -> {
            request.run();
            return future;
        };
    }

    @Test
    void shouldSendRequestsDown() {
        sinks("BIND: " + ADDRESS, () -> Channels.bind(channel, ADDRESS));
        sinks("UNBIND", () -> Channels.unbind(channel));
        sinks("CONNECT: " + ADDRESS, () -> Channels.connect(channel, ADDRESS));
        sinks("WRITE: m", () -> Channels.write(channel, "m"));
        sinks("WRITE: m to " + ADDRESS, () -> Channels.write(channel, "m", ADDRESS));
        sinks("CHANGE_INTEREST: 1", () -> Channels.setInterestOps(channel, Channel.OP_READ));
        sinks("DISCONNECT", () -> Channels.disconnect(channel));
        sinks("CLOSE", () -> Channels.close(channel));
    }

    @Test
    void shouldSendRequestsDownFromTheHandlerBeforeAContext() {
        sinks("BIND: " + ADDRESS, withFuture(() -> Channels.bind(below, future, ADDRESS)));
        sinks("UNBIND", withFuture(() -> Channels.unbind(below, future)));
        sinks("CONNECT: " + ADDRESS, withFuture(() -> Channels.connect(below, future, ADDRESS)));
        sinks("WRITE: m", withFuture(() -> Channels.write(below, future, "m")));
        sinks("WRITE: m to " + ADDRESS, withFuture(() -> Channels.write(below, future, "m", ADDRESS)));
        sinks("CHANGE_INTEREST: 0", withFuture(() -> Channels.setInterestOps(below, future, Channel.OP_NONE)));
        sinks("DISCONNECT", withFuture(() -> Channels.disconnect(below, future)));
        sinks("CLOSE", withFuture(() -> Channels.close(below, future)));
    }

    @Test
    void shouldRequestTheEndOfTheOutputAsAWrite() {
        assertEquals("nothing can be written after shutdownOutput()", new OutputShutdownException().getMessage());
        sinks("WRITE: end of the output", () -> Channels.shutdownOutput(channel));
        sinks("WRITE: end of the output", withFuture(() -> Channels.shutdownOutput(below, future)));
    }

    @Test
    void shouldCloseFromAHandlerForItsReason() {
        CloseReason reason = CloseReason.of(CloseReason.Kind.REFUSED);
        sinks("CLOSE", withFuture(() -> Channels.close(below, future, reason)));
        channel.closeNow();
        assertSame(reason, channel.getCloseReason());
    }

    @Test
    void shouldReturnTheMessageItselfIfItWasNotLent() {
        assertEquals("m", Channels.borrow(new UpstreamMessageEvent(channel, "m", null)));
    }

    @Test
    void shouldCloseWithTheCloseFuture() {
        assertSame(channel.getCloseFuture(), Channels.close(channel));
    }

    @Test
    void shouldAllowOnlyConnectToBeCancelled() {
        assertTrue(Channels.connect(channel, ADDRESS).cancel());
        assertFalse(Channels.bind(channel, ADDRESS).cancel());
        assertFalse(Channels.write(channel, "m").cancel());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5})
    void shouldLeaveTheWriteBitToTheTransport(int interestOps) {
        sinks("CHANGE_INTEREST: " + (interestOps & 1), () -> Channels.setInterestOps(channel, interestOps));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2, 3, 6, 7, 8, 255})
    void shouldRefuseUndefinedInterestOps(int interestOps) {
        Executable asked = () -> Channels.setInterestOps(channel, interestOps);
        String message = assertThrows(IllegalArgumentException.class, asked).getMessage();
        assertTrue(message.endsWith(": " + interestOps), message);
        assertThrows(IllegalArgumentException.class, () -> Channels.setInterestOps(below, future, interestOps));
        assertEquals(List.of(), channel.sink.sunk);
    }

    @Test
    void shouldRefuseNullAddresses() {
        refusesNull("localAddress", () -> Channels.bind(channel, null));
        refusesNull("localAddress", () -> Channels.bind(below, future, null));
        refusesNull("remoteAddress", () -> Channels.connect(channel, null));
        refusesNull("remoteAddress", () -> Channels.connect(below, future, null));
    }

    private static void refusesNull(String what, Executable call) {
        assertEquals(what, assertThrows(NullPointerException.class, call).getMessage());
    }

    // ---- pipelines and futures ----

    @Test
    void shouldReturnTheSucceededFutureThatAChannelKeeps() {
        ChannelFuture kept = new SucceededChannelFuture(channel);
        FakeChannel keeping = new FakeChannel() {
            @Override
            protected ChannelFuture getSucceededFuture() {
                return kept;
            }
        };
        assertSame(kept, Channels.succeededFuture(keeping));
    }

    @Test
    void shouldNumberThePipelinesHandlersAndIgnoreNullsAfterThem() {
        ChannelHandler first = new SimpleChannelHandler();
        ChannelPipeline pipeline = Channels.pipeline(first, new SimpleChannelHandler(), null, null);
        assertEquals(List.of("0", "1"), pipeline.getNames());
        assertSame(first, pipeline.get("0"));
        assertEquals(List.of(), Channels.pipeline().getNames());
        assertEquals(List.of(), Channels.pipeline(new ChannelHandler[0]).getNames());
    }

    @Test
    void shouldRefuseANullHandlerAndSayWhich() {
        ChannelHandler handler = new SimpleChannelHandler();
        assertNamed("handlers", () -> Channels.pipeline((ChannelHandler[]) null));
        assertNamed("handlers[0]", () -> Channels.pipeline((ChannelHandler) null));
        assertNamed("handlers[0]", () -> Channels.pipeline(null, handler));
        assertNamed("handlers[1]", () -> Channels.pipeline(handler, null, handler));
        assertNamed("template", () -> Channels.pipeline((ChannelPipeline) null));
    }

    private static void assertNamed(String what, Executable call) {
        assertEquals(what, assertThrows(NullPointerException.class, call).getMessage());
    }

    @Test
    void shouldCopyTheTemplatesCurrentHandlers() throws Exception {
        ChannelPipeline template = Channels.pipeline(new SimpleChannelHandler());
        ChannelPipelineFactory factory = Channels.pipelineFactory(template);
        ChannelPipeline early = factory.getPipeline();
        template.addLast("late", new SimpleChannelHandler());
        ChannelPipeline late = factory.getPipeline();
        assertEquals(List.of("0"), early.getNames());
        assertEquals(List.of("0", "late"), late.getNames());
        assertSame(template.getLast(), late.getLast());
        assertNotSame(template, late);
        assertEquals(template.toMap(), Channels.pipeline(template).toMap());
    }

    @Test
    void shouldMakeFutures() {
        Exception cause = new Exception();
        assertFalse(Channels.future(channel).isDone());
        assertFalse(Channels.future(channel).cancel());
        assertTrue(Channels.future(channel, true).cancel());
        assertTrue(Channels.succeededFuture(channel).isSuccess());
        assertSame(cause, Channels.failedFuture(channel, cause).getCause());
        assertSame(channel, Channels.succeededFuture(channel).getChannel());
    }
}
