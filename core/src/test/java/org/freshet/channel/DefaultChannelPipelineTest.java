package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Order, names, direction and attachment. Failures, life cycle, ownership and threads have their own tests. */
class DefaultChannelPipelineTest {
    private final List<String> seen = new ArrayList<>();
    private final ChannelPipeline pipeline = new DefaultChannelPipeline();

    /** Records its name and passes the event on. */
    private final class Up extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            seen.add(ctx.getName());
            ctx.sendUpstream(e);
        }
    }

    /** Records its name and passes the event on. */
    private final class Down extends SimpleChannelDownstreamHandler {
        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            seen.add(ctx.getName());
            ctx.sendDownstream(e);
        }
    }

    /** Records its name and passes the event on. */
    private final class Both extends SimpleChannelHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            seen.add(ctx.getName());
            ctx.sendUpstream(e);
        }

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            seen.add(ctx.getName());
            ctx.sendDownstream(e);
        }
    }

    private void addAll(String... names) {
        for (String name : names) {
            pipeline.addLast(name, new Up());
        }
    }

    // ---- direction ----

    @Test
    void shouldSendEventsUpFromFirstToLastAndSkipDownstreamHandlers() {
        addMixed();
        Channels.fireMessageReceived(new PaperChannel(pipeline), "m");
        assertEquals(List.of("up1", "both", "up2"), seen);
    }

    @Test
    void shouldSendRequestsDownFromLastToFirstAndIntoTheSink() {
        addMixed();
        PaperChannel channel = new PaperChannel(pipeline);
        ChannelFuture future = channel.write("m");
        assertEquals(List.of("down2", "both", "down1"), seen);
        assertEquals("m", ((MessageEvent) channel.sink.sunk.get(0)).getMessage());
        assertSame(future, channel.sink.sunk.get(0).getFuture());
    }

    private void addMixed() {
        pipeline.addLast("down1", new Down());
        pipeline.addLast("up1", new Up());
        pipeline.addLast("both", new Both());
        pipeline.addLast("down2", new Down());
        pipeline.addLast("up2", new Up());
    }

    @Test
    void shouldStartAfterTheHandlerThatSends() {
        addMixed();
        PaperChannel channel = new PaperChannel(pipeline);
        Channels.fireMessageReceived(pipeline.getContext("both"), "m");
        Channels.write(pipeline.getContext("both"), Channels.future(channel), "m");
        assertEquals(List.of("up2", "down1"), seen);
    }

    @Test
    void shouldReturnWhatAContextCanHandle() {
        addMixed();
        ChannelHandlerContext up = pipeline.getContext("up1");
        ChannelHandlerContext down = pipeline.getContext("down1");
        ChannelHandlerContext both = pipeline.getContext("both");
        assertTrue(up.canHandleUpstream() && !up.canHandleDownstream());
        assertTrue(!down.canHandleUpstream() && down.canHandleDownstream());
        assertTrue(both.canHandleUpstream() && both.canHandleDownstream());
        assertSame(pipeline.get("down1"), down.getHandler());
        assertSame(pipeline, down.getPipeline());
        assertNull(down.getAttachment());
        down.setAttachment("mine");
        assertEquals("mine", down.getAttachment());
    }

    @Test
    void shouldRefuseToSendAReceivedMessageDown() {
        pipeline.addLast("down", new Down());
        ChannelEvent received = new UpstreamMessageEvent(new PaperChannel(pipeline), "m", null);
        assertThrows(IllegalArgumentException.class, () -> pipeline.sendDownstream(received));
        assertThrows(
                IllegalArgumentException.class,
                () -> pipeline.getContext("down").sendDownstream(received));
    }

    @Test
    void shouldRefuseNullEvents() {
        assertThrows(NullPointerException.class, () -> pipeline.sendUpstream(null));
        assertThrows(NullPointerException.class, () -> pipeline.sendDownstream(null));
    }

    @Test
    void shouldLogOnceThatThereIsNoHandlerForEvents() {
        PaperChannel channel = new PaperChannel(pipeline);
        pipeline.addLast("down", new Down());
        try (CapturedLog log = CapturedLog.start()) {
            Channels.fireMessageReceived(channel, "m");
            Channels.fireMessageReceived(channel, "another");
            assertEquals(
                    "pipeline has no upstream handler, this and further events are discarded: " + channel
                            + " RECEIVED: m",
                    log.only().text());
        }
    }

    @Test
    void shouldNotLogThatNoHandlerReceivesTheCloseEvents() {
        PaperChannel channel = new PaperChannel(pipeline);
        channel.setClosed();
        try (CapturedLog log = CapturedLog.start()) {
            Channels.fireChannelClosed(channel);
            assertEquals(List.of(), log.messages());
        }
    }

    @Test
    void shouldNotLogAMessageThatHandlersPassedOn() {
        addAll("a", "b");
        try (CapturedLog log = CapturedLog.start()) {
            Channels.fireMessageReceived(new PaperChannel(pipeline), "m");
            assertEquals(List.of(), log.messages());
        }
    }

    // ---- attachment ----

    @Test
    void shouldAttachOnce() {
        assertFalse(pipeline.isAttached());
        assertNull(pipeline.getChannel());
        PaperChannel channel = new PaperChannel(pipeline);
        assertTrue(pipeline.isAttached());
        assertSame(channel, pipeline.getChannel());
        assertSame(channel.sink, pipeline.getSink());
        Throwable e = assertThrows(IllegalStateException.class, () -> new PaperChannel(pipeline));
        assertEquals("already attached to " + channel, e.getMessage());
        assertSame(channel, pipeline.getChannel());
    }

    @Test
    void shouldNotAttachToNull() {
        PaperChannel channel = new PaperChannel();
        assertThrows(NullPointerException.class, () -> pipeline.attach(null, channel.sink));
        assertThrows(NullPointerException.class, () -> pipeline.attach(channel, null));
        assertFalse(pipeline.isAttached());
    }

    @Test
    void shouldFailRequestsAndTasksBeforeItIsAttached() {
        PaperChannel elsewhere = new PaperChannel();
        ChannelFuture future = Channels.future(elsewhere);
        try (CapturedLog log = CapturedLog.start()) {
            pipeline.sendDownstream(new DownstreamMessageEvent(elsewhere, future, "m", null));
            ChannelFuture executed = pipeline.execute(() -> seen.add("task"));
            assertTrue(future.getCause() instanceof ChannelPipelineException, "cause: " + future.getCause());
            assertTrue(executed.getCause() instanceof ChannelPipelineException, "cause: " + executed.getCause());
            assertEquals(List.of(), seen);
            assertEquals(2, log.messages().size());
            assertTrue(
                    log.messages().stream().allMatch(line -> line.level() == InternalLogLevel.WARN),
                    log.messages()::toString);
        }
    }

    @Test
    void shouldLogExceptionsOfHandlersBeforeItIsAttached() {
        Exception thrown = new Exception("early");
        pipeline.addLast("thrower", new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
                throw thrown;
            }
        });
        try (CapturedLog log = CapturedLog.start()) {
            pipeline.sendUpstream(new UpstreamMessageEvent(new PaperChannel(), "m", null));
            assertSame(thrown, log.only().cause().getCause());
        }
    }

    @Test
    void shouldRunTasksThroughTheSink() {
        PaperChannel channel = new PaperChannel(pipeline);
        channel.sink.postpones = true;
        ChannelFuture future = pipeline.execute(() -> seen.add("task"));
        assertFalse(future.isDone());
        channel.sink.runPostponed();
        assertTrue(future.isSuccess());
        assertEquals(List.of("task"), seen);
    }

    // ---- order and names ----

    @Test
    void shouldKeepHandlersInOrder() {
        pipeline.addFirst("c", new Up());
        pipeline.addFirst("a", new Up());
        pipeline.addLast("f", new Up());
        pipeline.addBefore("c", "b", new Up());
        pipeline.addAfter("c", "d", new Up());
        pipeline.addAfter("f", "g", new Up());
        pipeline.addBefore("f", "e", new Up());
        assertEquals(List.of("a", "b", "c", "d", "e", "f", "g"), pipeline.getNames());
        assertEquals(pipeline.getNames(), new ArrayList<>(pipeline.toMap().keySet()));
        assertSame(pipeline.get("a"), pipeline.getFirst());
        assertSame(pipeline.get("g"), pipeline.getLast());
        assertSame(pipeline.get("c"), pipeline.toMap().get("c"));
    }

    @Test
    void shouldReturnCopiesOfItsNames() {
        addAll("a", "b");
        pipeline.getNames().clear();
        pipeline.toMap().clear();
        assertEquals(List.of("a", "b"), pipeline.getNames());
    }

    @Test
    void shouldDescribeItsHandlersInWords() {
        assertEquals("DefaultChannelPipeline{}", pipeline.toString());
        addAll("a", "b");
        String up = Up.class.getName();
        assertEquals("DefaultChannelPipeline{(a = " + up + "), (b = " + up + ")}", pipeline.toString());
        assertEquals(
                "ChannelHandlerContext'a' (" + up + ")",
                pipeline.getContext("a").toString());
    }

    @Test
    void shouldRefuseATakenName() {
        addAll("a", "b");
        String message = "name is taken: 'b' (" + Up.class.getName() + ")";
        failsWith(IllegalArgumentException.class, message, () -> pipeline.addLast("b", new Up()));
        failsWith(IllegalArgumentException.class, message, () -> pipeline.addFirst("b", new Up()));
        failsWith(IllegalArgumentException.class, message, () -> pipeline.addBefore("a", "b", new Up()));
        failsWith(IllegalArgumentException.class, message, () -> pipeline.addAfter("a", "b", new Up()));
        failsWith(IllegalArgumentException.class, message, () -> pipeline.replace("a", "b", new Up()));
        assertEquals(List.of("a", "b"), pipeline.getNames());
    }

    @Test
    void shouldRefuseAHandlerForNeitherDirection() {
        ChannelHandler useless = new ChannelHandler() {};
        Throwable e = assertThrows(IllegalArgumentException.class, () -> pipeline.addLast("useless", useless));
        assertTrue(e.getMessage().endsWith(useless.getClass().getName()), e.getMessage());
        assertNull(pipeline.getFirst());
    }

    @Test
    void shouldSayWhichArgumentIsNull() {
        addAll("a");
        failsWith(NullPointerException.class, "name", () -> pipeline.addLast(null, new Up()));
        failsWith(NullPointerException.class, "handler", () -> pipeline.addLast("b", null));
        failsWith(NullPointerException.class, "baseName", () -> pipeline.addAfter(null, "b", new Up()));
        failsWith(NullPointerException.class, "name", () -> pipeline.remove((String) null));
        failsWith(NullPointerException.class, "handler", () -> pipeline.remove((ChannelHandler) null));
        failsWith(NullPointerException.class, "handlerType", () -> pipeline.remove((Class<Up>) null));
        failsWith(NullPointerException.class, "oldName", () -> pipeline.replace((String) null, "b", new Up()));
        failsWith(NullPointerException.class, "name", () -> pipeline.replace("a", null, new Up()));
        failsWith(NullPointerException.class, "handler", () -> pipeline.replace("a", "b", null));
        failsWith(NullPointerException.class, "name", () -> pipeline.getContext((String) null));
        failsWith(NullPointerException.class, "handlerType", () -> pipeline.get((Class<Up>) null));
        assertNull(pipeline.get((String) null));
        assertEquals(List.of("a"), pipeline.getNames());
    }

    // ---- looking up ----

    @Test
    void shouldFindTheFirstInstanceOfAClassOrSubclass() {
        Both first = new Both();
        Both second = new Both();
        addAll("a");
        pipeline.addLast("first", first);
        pipeline.addLast("second", second);
        assertSame(first, pipeline.get(SimpleChannelHandler.class));
        assertSame(first, pipeline.get(ChannelDownstreamHandler.class));
        assertSame("first", pipeline.getContext(Both.class).getName());
        assertSame("second", pipeline.getContext(second).getName());
    }

    @Test
    void shouldReturnNullForUnknownHandlers() {
        assertNull(pipeline.getFirst());
        assertNull(pipeline.getLast());
        addAll("a");
        assertNull(pipeline.get("z"));
        assertNull(pipeline.get(Both.class));
        assertNull(pipeline.getContext("z"));
        assertNull(pipeline.getContext(new Up()));
        assertNull(pipeline.getContext(Both.class));
    }

    // ---- removing and replacing ----

    @Test
    void shouldRemoveByNameInstanceClassAndEnd() {
        Up handler = new Up();
        Both both = new Both();
        pipeline.addLast("instance", handler);
        pipeline.addLast("class", both);
        addAll("first", "name", "last");
        assertSame(both, pipeline.remove(Both.class));
        ChannelHandler named = pipeline.get("name");
        assertSame(named, pipeline.remove("name"));
        pipeline.remove(handler);
        ChannelHandler last = pipeline.get("last");
        assertSame(last, pipeline.removeLast());
        ChannelHandler first = pipeline.get("first");
        assertSame(first, pipeline.removeFirst());
        assertEquals(List.of(), pipeline.getNames());
        pipeline.addLast("again", handler);
        assertEquals(List.of("again"), pipeline.getNames());
    }

    @Test
    void shouldRefuseToRemoveOrReplaceUnknownHandlers() {
        failsWith(NoSuchElementException.class, "the pipeline is empty", pipeline::removeFirst);
        failsWith(NoSuchElementException.class, "the pipeline is empty", pipeline::removeLast);
        addAll("a");
        failsWith(NoSuchElementException.class, "z", () -> pipeline.remove("z"));
        failsWith(NoSuchElementException.class, Both.class.getName(), () -> pipeline.remove(Both.class));
        failsWith(NoSuchElementException.class, Up.class.getName(), () -> pipeline.remove(new Up()));
        failsWith(NoSuchElementException.class, "z", () -> pipeline.replace("z", "b", new Up()));
        failsWith(NoSuchElementException.class, "z", () -> pipeline.addBefore("z", "b", new Up()));
        failsWith(NoSuchElementException.class, "z", () -> pipeline.addAfter("z", "b", new Up()));
        assertEquals(List.of("a"), pipeline.getNames());
    }

    @Test
    void shouldReplaceInPlace() {
        addAll("a", "b", "c");
        Both both = new Both();
        ChannelHandler b = pipeline.get("b");
        assertSame(b, pipeline.replace("b", "b", both));
        assertSame(both, pipeline.replace(Both.class, "x", new Up()));
        pipeline.replace(pipeline.get("a"), "first", new Up());
        pipeline.replace("c", "last", new Up());
        assertEquals(List.of("first", "x", "last"), pipeline.getNames());
        Channels.fireMessageReceived(new PaperChannel(pipeline), "m");
        assertEquals(List.of("first", "x", "last"), seen);
    }

    @Test
    void shouldReplaceTheOnlyHandler() {
        addAll("only");
        pipeline.replace("only", "new", new Both());
        assertEquals(List.of("new"), pipeline.getNames());
        assertSame(pipeline.getFirst(), pipeline.getLast());
    }

    // ---- events inside a handler while the pipeline changes ----

    /** Holds events until it is released. */
    private final class Holder extends SimpleChannelHandler {
        private MessageEvent held;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            held = e;
        }

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            held = e;
        }
    }

    /** below - held - above, with an event inside the middle one. */
    private ChannelHandlerContext holdInTheMiddle(boolean upstream) {
        pipeline.addLast("below", new Both());
        pipeline.addLast("held", new Holder());
        pipeline.addLast("above", new Both());
        PaperChannel channel = new PaperChannel(pipeline);
        if (upstream) {
            Channels.fireMessageReceived(channel, "m");
        } else {
            channel.write("m");
        }
        assertEquals(List.of(upstream ? "below" : "above"), seen);
        seen.clear();
        return pipeline.getContext("held");
    }

    private void goOnUp(ChannelHandlerContext ctx) {
        ctx.sendUpstream(((Holder) ctx.getHandler()).held);
    }

    private void goOnDown(ChannelHandlerContext ctx) {
        ctx.sendDownstream(((Holder) ctx.getHandler()).held);
    }

    @Test
    void shouldContinueFromARemovedContextToTheNextHandler() {
        ChannelHandlerContext held = holdInTheMiddle(true);
        pipeline.remove("held");
        goOnUp(held);
        assertEquals(List.of("above"), seen);
    }

    @Test
    void shouldContinueFromARemovedContextToTheReplacementOfTheNextHandler() {
        ChannelHandlerContext held = holdInTheMiddle(true);
        pipeline.remove("held");
        pipeline.replace("above", "newAbove", new Both());
        pipeline.addLast("later", new Both());
        goOnUp(held);
        assertEquals(List.of("newAbove", "later"), seen);
    }

    @Test
    void shouldContinueFromARemovedContextEvenIfAllNeighboursWereRemovedToo() {
        ChannelHandlerContext held = holdInTheMiddle(true);
        pipeline.addLast("top", new Both());
        pipeline.remove("held");
        pipeline.remove("below");
        pipeline.remove("above");
        goOnUp(held);
        assertEquals(List.of("top"), seen);
    }

    @Test
    void shouldNotReachTheReplacementOfItsOwnHandler() {
        ChannelHandlerContext held = holdInTheMiddle(true);
        pipeline.replace("held", "replacement", new Both());
        goOnUp(held);
        assertEquals(List.of("above"), seen);
    }

    @Test
    void shouldContinueAfterTheReplacementEvenIfThatIsRemovedToo() {
        ChannelHandlerContext held = holdInTheMiddle(true);
        pipeline.replace("held", "replacement", new Both());
        pipeline.remove("replacement");
        pipeline.addAfter("below", "late", new Both());
        goOnUp(held);
        assertEquals(List.of("late", "above"), seen);
    }

    @Test
    void shouldContinueDownFromARemovedContext() {
        ChannelHandlerContext held = holdInTheMiddle(false);
        pipeline.remove("held");
        pipeline.replace("below", "newBelow", new Both());
        pipeline.remove("above");
        goOnDown(held);
        assertEquals(List.of("newBelow"), seen);
    }

    @Test
    void shouldContinueDownAfterItsReplacement() {
        ChannelHandlerContext held = holdInTheMiddle(false);
        pipeline.replace("held", "replacement", new Both());
        goOnDown(held);
        assertEquals(List.of("below"), seen);
    }

    @Test
    void shouldContinueUpFromAPipelineThatHasBecomeEmpty() {
        ChannelHandlerContext held = holdInTheMiddle(true);
        empty();
        try (CapturedLog log = CapturedLog.start()) {
            goOnUp(held);
            assertEquals(1, log.messages().size());
        }
        addAll("new");
        goOnUp(held);
        assertEquals(List.of("new"), seen);
    }

    @Test
    void shouldContinueDownFromAPipelineThatHasBecomeEmpty() {
        ChannelHandlerContext held = holdInTheMiddle(false);
        empty();
        goOnDown(held);
        assertEquals(List.of(((Holder) held.getHandler()).held), ((PaperSink) pipeline.getSink()).sunk);
    }

    private void empty() {
        pipeline.removeFirst();
        pipeline.removeLast();
        pipeline.remove("held");
        assertEquals(List.of(), pipeline.getNames());
    }

    private static void failsWith(Class<? extends Throwable> type, String message, Executable call) {
        assertEquals(message, assertThrows(type, call).getMessage());
    }
}
