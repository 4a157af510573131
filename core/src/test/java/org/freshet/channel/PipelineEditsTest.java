package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.internal.HoldsOutput;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;

/** Edits that meet other edits, failures of close requests and sinks, and what a transport or an account asks a pipeline. */
class PipelineEditsTest {
    private final DefaultChannelPipeline pipeline = new DefaultChannelPipeline();

    private DefaultChannelHandlerContext context(String name) {
        return (DefaultChannelHandlerContext) pipeline.getContext(name);
    }

    // ---- edits that meet others ----

    /** Runs an action when it is about to be removed or was added. */
    private static class Aware extends SimpleChannelHandler implements LifeCycleAwareChannelHandler {
        Runnable beforeRemove = () -> {};
        Runnable afterAdd = () -> {};

        @Override
        public void beforeAdd(ChannelHandlerContext ctx) {}

        @Override
        public void afterAdd(ChannelHandlerContext ctx) {
            afterAdd.run();
        }

        @Override
        public void beforeRemove(ChannelHandlerContext ctx) {
            beforeRemove.run();
        }

        @Override
        public void afterRemove(ChannelHandlerContext ctx) {}
    }

    @Test
    void shouldBeMarkedAsBeingRemovedOnlyUntilItIs() {
        Aware removed = new Aware();
        Aware replaced = new Aware();
        List<Boolean> marks = new ArrayList<>();
        pipeline.addLast("removed", removed);
        pipeline.addLast("replaced", replaced);
        DefaultChannelHandlerContext first = context("removed");
        DefaultChannelHandlerContext second = context("replaced");
        removed.beforeRemove = () -> marks.add(pipeline.isRemoving(first) && !first.isRemoved());
        replaced.beforeRemove = () -> marks.add(pipeline.isRemoving(second) && !second.isRemoved());
        pipeline.remove("removed");
        pipeline.replace("replaced", "new", new SimpleChannelHandler());
        assertEquals(List.of(true, true), marks);
        assertFalse(pipeline.isRemoving(first));
        assertFalse(pipeline.isRemoving(second));
        assertTrue(first.isRemoved());
        assertTrue(second.isRemoved());
        assertFalse(context("new").isRemoved());
    }

    @Test
    void shouldNotReplaceIfTheNewNameIsTakenInTheMeantime() {
        Aware old = new Aware();
        old.beforeRemove = () -> pipeline.addLast("new", new SimpleChannelHandler());
        pipeline.addLast("old", old);
        assertThrows(IllegalArgumentException.class, () -> pipeline.replace("old", "new", new SimpleChannelHandler()));
        assertEquals(List.of("old", "new"), pipeline.getNames());
        old.beforeRemove = () -> {};
        assertSame(old, pipeline.remove("old"), "its replacement has ended");
    }

    @Test
    void shouldNotReplaceWithAHandlerThatHasAnotherPlace() {
        SharabilityTest.Stateful twice = new SharabilityTest.Stateful();
        pipeline.addLast("a", new SimpleChannelHandler());
        pipeline.addLast("b", twice);
        assertThrows(ChannelPipelineException.class, () -> pipeline.replace("a", "c", twice));
        assertEquals(List.of("a", "b"), pipeline.getNames());
        pipeline.replace("b", "c", twice);
        assertEquals(List.of("a", "c"), pipeline.getNames());
    }

    @Test
    void shouldReportOnlyTheFailureOfAHandlerThatRemovedItselfBefore() {
        Aware handler = new Aware();
        IllegalStateException thrown = new IllegalStateException("thrown on purpose");
        handler.afterAdd = () -> {
            pipeline.remove(handler);
            throw thrown;
        };
        ChannelHandlerLifeCycleException failure =
                assertThrows(ChannelHandlerLifeCycleException.class, () -> pipeline.addLast("a", handler));
        assertSame(thrown, failure.getCause());
        assertEquals(0, failure.getSuppressed().length);
    }

    @Test
    void shouldReportOnlyTheFailureOfAHandlerThatIsJustBeingRemoved() {
        Aware handler = new Aware();
        handler.beforeRemove = () -> LifeCycle.afterAdd(context("a"));
        pipeline.addLast("a", handler);
        handler.afterAdd = () -> {
            throw new IllegalStateException("thrown on purpose");
        };
        ChannelHandlerLifeCycleException failure =
                assertThrows(ChannelHandlerLifeCycleException.class, () -> pipeline.remove("a"));
        assertEquals(0, failure.getCause().getSuppressed().length);
        assertEquals(List.of("a"), pipeline.getNames(), "beforeRemove has failed");
    }

    /** A thread that walks through the handlers may stand on one that is removed. */
    @Test
    void shouldFindTheWayUpFromAContextThatWasRemoved() {
        for (String name : List.of("a", "b", "c", "d")) {
            pipeline.addLast(name, new Passing());
        }
        DefaultChannelHandlerContext a = context("a");
        DefaultChannelHandlerContext b = context("b");
        DefaultChannelHandlerContext c = context("c");
        assertSame(c, b.nextAbove());
        pipeline.remove("b");
        assertSame(c, b.nextAbove());
        pipeline.remove("c");
        assertSame(context("d"), b.nextAbove());
        assertSame(context("d"), c.nextAbove());
        pipeline.remove("a");
        assertSame(context("d"), a.nextAbove());
        pipeline.addFirst("new", new Passing());
        assertSame(context("new"), b.nextAbove(), "nothing is left of what was below");
        DefaultChannelHandlerContext d = context("d");
        pipeline.replace("d", "e", new Passing());
        pipeline.addLast("f", new Passing());
        assertSame(context("f"), d.nextAbove());
        pipeline.remove("f");
        assertNull(d.nextAbove());
    }

    // ---- failures on the way down ----

    private static final class Thrower extends SimpleChannelDownstreamHandler {
        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
            throw new IllegalStateException("thrown on purpose");
        }
    }

    private static final class Caught extends SimpleChannelUpstreamHandler {
        private final List<Throwable> causes = new ArrayList<>();

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            causes.add(e.getCause());
        }
    }

    @Test
    void shouldPassOnlyRequestsToCloseOnPastAHandlerThatThrew() {
        PaperChannel channel = new PaperChannel(new Thrower(), new Caught());
        ChannelPipeline own = channel.getPipeline();
        for (ChannelState state : List.of(ChannelState.OPEN, ChannelState.BOUND)) {
            Object value = state == ChannelState.OPEN ? Boolean.TRUE : Boolean.FALSE;
            ChannelFuture future = Channels.future(channel);
            own.sendDownstream(new DownstreamChannelStateEvent(channel, future, state, value));
            assertEquals("thrown on purpose", future.getCause().getMessage());
        }
        assertEquals(List.of(), channel.sink.sunk);
        own.sendDownstream(
                new DownstreamChannelStateEvent(channel, channel.getCloseFuture(), ChannelState.OPEN, Boolean.FALSE));
        assertEquals(1, channel.sink.sunk.size());
    }

    @Test
    void shouldReportARequestToCloseThatTheSinkRefuses() {
        Caught caught = new Caught();
        PaperChannel channel = new PaperChannel(caught);
        IllegalStateException thrown = new IllegalStateException("thrown on purpose");
        channel.sink.failure = thrown;
        channel.close();
        assertEquals(List.of(thrown), caught.causes);
    }

    /** Of a user's type, for which nothing waits. */
    @Test
    void shouldLogAnEventWithoutFutureThatIsSentDownBeforeItIsAttached() {
        ChannelEvent event = new ChannelEvent() {
            @Override
            public Channel getChannel() {
                return null;
            }

            @Override
            public ChannelFuture getFuture() {
                return null;
            }

            @Override
            public String toString() {
                return "an event";
            }
        };
        try (CapturedLog log = CapturedLog.start()) {
            pipeline.sendDownstream(event);
            assertEquals(
                    "pipeline is not attached to a channel, event discarded: an event",
                    log.only().text());
        }
    }

    @Test
    void shouldLogASinkThatThrowsTheFailureItCannotReport() {
        RuntimeException thrown = new IllegalStateException("thrown on purpose");
        ChannelPipeline own = Channels.pipeline(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                throw thrown;
            }
        });
        PaperChannel elsewhere = new PaperChannel();
        own.attach(elsewhere, new AbstractChannelSink() {
            @Override
            public void eventSunk(ChannelPipeline ignored, ChannelEvent e) {}

            @Override
            public void exceptionCaught(ChannelPipeline ignored, ChannelEvent e, ChannelPipelineException cause) {
                throw thrown;
            }
        });
        try (CapturedLog log = CapturedLog.start()) {
            own.sendUpstream(new UpstreamMessageEvent(elsewhere, "m", null));
            assertSame(thrown, log.only().cause());
            assertEquals(0, thrown.getSuppressed().length);
        }
    }

    // ---- for transports and accounts ----

    private static final class Keeper extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {}
    }

    @ChannelHandler.Borrower
    private static final class Borrows extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {}
    }

    /** Leaves messages to the next handler. */
    private static final class Passing extends SimpleChannelUpstreamHandler {}

    @Test
    void shouldLendToTheFirstHandlerThatDoesMoreThanPassMessagesOn() {
        assertNull(pipeline.borrower());
        pipeline.addLast("down", new SimpleChannelDownstreamHandler());
        pipeline.addLast("passing", new Passing());
        assertNull(pipeline.borrower());
        pipeline.addLast("borrower", new Borrows());
        pipeline.addLast("above", new Keeper());
        assertSame(pipeline.getContext("borrower"), pipeline.borrower());
        pipeline.addFirst("keeper", new Keeper());
        assertNull(pipeline.borrower());
    }

    @Test
    void shouldBeFreeDownstreamWithoutADownstreamHandler() {
        assertTrue(pipeline.isDownstreamFree());
        pipeline.addLast("up", new Passing());
        assertTrue(pipeline.isDownstreamFree());
        pipeline.addFirst("down", new SimpleChannelDownstreamHandler());
        assertFalse(pipeline.isDownstreamFree());
    }

    private static final class Holder extends SimpleChannelDownstreamHandler implements HoldsOutput {
        private final long bytes;

        Holder(long bytes) {
            this.bytes = bytes;
        }

        @Override
        public long heldBytes(Object channel) {
            return channel instanceof PaperChannel ? bytes : -1;
        }
    }

    @Test
    void shouldSumUpWhatHandlersHold() {
        pipeline.addLast("1", new Holder(1));
        pipeline.addLast("down", new SimpleChannelDownstreamHandler());
        pipeline.addLast("20", new Holder(20));
        pipeline.addLast("up", new Passing());
        pipeline.addLast("300", new Holder(300));
        new PaperChannel(pipeline);
        assertEquals(321, pipeline.heldBelow(null));
        assertEquals(21, pipeline.heldBelow(pipeline.getContext("300")));
        assertEquals(1, pipeline.heldBelow(pipeline.getContext("20")));
        assertEquals(0, pipeline.heldBelow(pipeline.getContext("1")));
    }
}
