package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.UnmarkedHandlers;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The default rule of {@link ChannelHandler.Sharable}, for handlers that hold the reference to their owner and for
 * those looked up in the table. Handlers of this package count as Freshet's own.
 */
class SharabilityTest {
    /** Does not extend Freshet's base classes. */
    static class Direct implements ChannelUpstreamHandler {
        private int events;

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            events++;
            ctx.sendUpstream(e);
        }

        /** Ownership is by identity, even if handlers override equals. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Direct;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    @ChannelHandler.Sharable
    static class SharedDirect implements ChannelDownstreamHandler {
        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
            ctx.sendDownstream(e);
        }
    }

    @ChannelHandler.Sharable
    static class Shared extends SimpleChannelHandler {}

    /** Marked by inheritance. */
    static class SharedToo extends Shared {}

    static class Stateful extends SimpleChannelHandler {
        Object state;
    }

    /** The state is in the superclass. */
    static class StatefulToo extends Stateful {}

    static class StatefulUpstream extends SimpleChannelUpstreamHandler {
        Object state;
    }

    static class StatefulDownstream extends SimpleChannelDownstreamHandler {
        Object state;
    }

    static Stream<ChannelHandler> exclusive() {
        return Stream.of(
                new Direct(), new Stateful(), new StatefulToo(), new StatefulUpstream(), new StatefulDownstream());
    }

    static Stream<Supplier<ChannelHandler>> unmarked() {
        return Stream.of(
                () -> new UnmarkedHandlers.Extending() {},
                () -> new UnmarkedHandlers.Implementing() {},
                () -> new SimpleChannelHandler() {},
                () -> new SimpleChannelUpstreamHandler() {},
                () -> new UnmarkedHandlers.Filter() {});
    }

    static Stream<ChannelHandler> sharable() {
        return Stream.of(new SharedDirect(), new Shared(), new SharedToo());
    }

    private static void refused(ChannelHandler handler, Executable call) {
        String message = assertThrows(ChannelPipelineException.class, call).getMessage();
        assertTrue(message.contains(handler.getClass().getName()), message);
    }

    @ParameterizedTest
    @MethodSource("sharable")
    void shouldLetSharableHandlersIntoAnyPipeline(ChannelHandler handler) {
        PaperChannel first = new PaperChannel(handler);
        first.getPipeline().addLast("again", handler);
        PaperChannel second = new PaperChannel(handler);
        assertEquals(List.of("0", "again"), first.getPipeline().getNames());
        assertSame(handler, second.getPipeline().getFirst());
    }

    /** Anonymous classes, so that each test has classes without an earlier warning. */
    @ParameterizedTest
    @MethodSource("unmarked")
    void shouldLetAnUnmarkedHandlerOfAUserInAndWarnOnceForItsClass(Supplier<ChannelHandler> source) {
        ChannelHandler handler = source.get();
        PaperChannel first = new PaperChannel(handler);
        try (CapturedLog log = CapturedLog.start()) {
            PaperChannel second = new PaperChannel();
            second.getPipeline().addLast("again", handler);
            PaperChannel third = new PaperChannel(Channels.pipeline(handler));
            assertSame(handler, second.getPipeline().getFirst());
            assertSame(handler, third.getPipeline().getFirst());
            String type = handler.getClass().getName();
            assertEquals(
                    "handler " + type + "@" + Integer.toHexString(System.identityHashCode(handler))
                            + " is added as 'again' although it is already in another pipeline, as '0' of channel "
                            + first + ". If it keeps no state of a channel, mark class " + type
                            + " with @ChannelHandler.Sharable; otherwise create a new one for each channel. This is logged"
                            + " once per class; -Dorg.freshet.sharability=enforce refuses such handlers, =off disables the check.",
                    log.only().text());
            assertEquals(InternalLogLevel.WARN, log.only().level());
        }
    }

    @Test
    void shouldNotHoldAClosedChannelThroughASharedHandler() {
        UnmarkedHandlers.Extending handler = new UnmarkedHandlers.Extending();
        PaperChannel first = new PaperChannel(handler);
        new PaperChannel(handler); // from here on its class needs no check
        first.closeNow();
        assertNull(((OwnableHandler) handler).owner());
    }

    @Test
    void shouldSayThatAFreshetHandlerKeepsState() {
        Stateful handler = new StatefulToo();
        new PaperChannel(handler);
        String message = assertThrows(ChannelPipelineException.class, () -> new PaperChannel(handler))
                .getMessage();
        assertTrue(message.contains("It keeps the state of one channel: create a new one for each channel."), message);
    }

    @ParameterizedTest
    @MethodSource("exclusive")
    void shouldRefuseToAddAHandlerThatIsInAnotherPipeline(ChannelHandler handler) {
        PaperChannel first = new PaperChannel(handler);
        ChannelPipeline unattached = Channels.pipeline();
        refused(handler, () -> unattached.addLast("second", handler));
        PaperChannel second = new PaperChannel();
        refused(handler, () -> second.getPipeline().addLast("second", handler));
        assertEquals(List.of(), unattached.getNames());
        assertEquals(List.of(), second.getPipeline().getNames());
        assertSame(handler, first.getPipeline().getFirst());
    }

    @ParameterizedTest
    @MethodSource("exclusive")
    void shouldRefuseToAddAHandlerTwiceToOnePipeline(ChannelHandler handler) {
        ChannelPipeline pipeline = Channels.pipeline(handler);
        refused(handler, () -> pipeline.addLast("again", handler));
        PaperChannel channel = new PaperChannel(pipeline);
        refused(handler, () -> pipeline.addLast("again", handler));
        assertEquals(List.of("0"), channel.getPipeline().getNames());
    }

    @ParameterizedTest
    @MethodSource("exclusive")
    void shouldNotNameAChannelThatIsNotAttachedYet(ChannelHandler handler) {
        ChannelPipeline pipeline = Channels.pipeline(handler);
        String message = assertThrows(ChannelPipelineException.class, () -> pipeline.addLast("again", handler))
                .getMessage();
        assertTrue(message.contains("this pipeline, as '0', without a channel yet. It keeps"), message);
    }

    @ParameterizedTest
    @MethodSource("exclusive")
    void shouldNameHandlerPositionAndRemedy(ChannelHandler handler) {
        PaperChannel first = new PaperChannel(handler);
        ChannelPipeline second = Channels.pipeline();
        String message = assertThrows(ChannelPipelineException.class, () -> second.addLast("echo", handler))
                .getMessage();
        String instance = handler.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(handler));
        assertEquals(
                "handler " + instance
                        + " cannot be added as 'echo': it is already in another pipeline, as '0' of channel "
                        + first + ". It keeps the state of one channel: create a new one for each channel."
                        + " -Dorg.freshet.sharability=warn allows it.",
                message);
    }

    @ParameterizedTest
    @MethodSource("exclusive")
    void shouldRefuseToAttachASecondCopyOfATemplate(ChannelHandler handler) {
        ChannelPipeline template = Channels.pipeline(handler);
        ChannelPipeline copy = Channels.pipeline(template);
        ChannelPipeline lateCopy = Channels.pipeline(template);
        new PaperChannel(copy);
        refused(handler, () -> new PaperChannel(lateCopy));
        assertFalse(lateCopy.isAttached());
        assertNull(lateCopy.getChannel());
        refused(handler, () -> Channels.pipelineFactory(template).getPipeline());
    }

    @Test
    void shouldReleaseTheOthersIfOneIsRefusedAtAttachment() {
        ChannelHandler taken = new Stateful();
        ChannelHandler free = new Stateful();
        ChannelPipeline both = Channels.pipeline(free, taken);
        PaperChannel owner = new PaperChannel(taken);
        refused(taken, () -> new PaperChannel(both));
        assertNull(((OwnableHandler) free).owner(), "it would hold the pipeline in memory");
        assertSame(free, new PaperChannel(free).getPipeline().getFirst());
        owner.closeNow();
        assertFalse(both.isAttached());
    }

    @ParameterizedTest
    @MethodSource("exclusive")
    void shouldBeFreeAgainWhenRemoved(ChannelHandler handler) {
        PaperChannel first = new PaperChannel(handler);
        first.getPipeline().remove(handler);
        PaperChannel second = new PaperChannel(handler);
        second.getPipeline().replace(handler, "other", new SimpleChannelHandler());
        PaperChannel third = new PaperChannel(handler);
        refused(handler, () -> first.getPipeline().addLast("back", handler));
        assertSame(handler, third.getPipeline().getFirst());
    }

    @ParameterizedTest
    @MethodSource("exclusive")
    void shouldStayOwnedUnderANewName(ChannelHandler handler) {
        PaperChannel first = new PaperChannel(handler);
        first.getPipeline().replace(handler, "renamed", handler);
        assertEquals(List.of("renamed"), first.getPipeline().getNames());
        refused(handler, () -> new PaperChannel(handler));
        first.getPipeline().remove("renamed");
        assertNotNull(new PaperChannel(handler));
    }

    @ParameterizedTest
    @MethodSource("exclusive")
    void shouldBeFreeAgainWhenTheChannelCloses(ChannelHandler handler) {
        ChannelPipeline template = Channels.pipeline(handler);
        for (int connection = 0; connection < 3; connection++) {
            PaperChannel channel = new PaperChannel(Channels.pipeline(template));
            assertSame(handler, channel.getPipeline().getFirst());
            assertTrue(channel.closeNow());
        }
    }

    /** Users may keep a handler for a later connection. */
    @Test
    void shouldNotHoldAClosedChannelInMemory() {
        Stateful handler = new Stateful();
        PaperChannel channel = new PaperChannel(handler);
        assertSame(channel.getPipeline().getContext(handler), handler.owner());
        channel.closeNow();
        assertNull(handler.owner());
    }

    @ParameterizedTest
    @MethodSource("exclusive")
    void shouldBeFreeWhenTheCloseFutureCompletes(ChannelHandler handler) {
        List<Channel> reconnected = new ArrayList<>();
        PaperChannel channel = new PaperChannel(handler);
        channel.getCloseFuture().addListener(future -> reconnected.add(new PaperChannel(handler)));
        channel.closeNow();
        assertEquals(1, reconnected.size());
    }

    @ParameterizedTest
    @MethodSource("exclusive")
    void shouldNotCountAClosedChannel(ChannelHandler handler) {
        PaperChannel closed = new PaperChannel();
        closed.closeNow();
        closed.getPipeline().addLast("too late", handler);
        assertSame(handler, new PaperChannel(handler).getPipeline().getFirst());
    }

    @ParameterizedTest
    @MethodSource("exclusive")
    void shouldNotCountATemplate(ChannelHandler handler) {
        Channels.pipeline(handler);
        Channels.pipeline(handler);
        assertSame(handler, new PaperChannel(handler).getPipeline().getFirst());
    }

    @ParameterizedTest
    @MethodSource("exclusive")
    void shouldLetOnlyOneOfManyConcurrentPipelinesHaveAHandler(ChannelHandler handler) throws Exception {
        int threads = 8;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < 200; round++) {
                CountDownLatch start = new CountDownLatch(1);
                List<Future<PaperChannel>> attempts = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    PaperChannel channel = new PaperChannel();
                    attempts.add(executor.submit(() -> {
                        start.await();
                        try {
                            channel.getPipeline().addLast("h", handler);
                            return channel;
                        } catch (ChannelPipelineException refused) {
                            return null;
                        }
                    }));
                }
                start.countDown();
                PaperChannel winner = null;
                for (Future<PaperChannel> attempt : attempts) {
                    PaperChannel owner = attempt.get(20, TimeUnit.SECONDS);
                    assertTrue(owner == null || winner == null, "two pipelines hold the handler, round " + round);
                    winner = owner == null ? winner : owner;
                }
                assertNotNull(winner, "no pipeline got the handler, round " + round);
                winner.closeNow();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void shouldNotRetainAChannelThatIsDroppedWithoutBeingClosed() {
        Direct handler = new Direct();
        WeakReference<PaperChannel> dropped = new WeakReference<>(new PaperChannel(handler));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (dropped.get() != null) {
            assertTrue(System.nanoTime() < deadline, "the channel should be collected though its handler lives");
            System.gc();
        }
        assertSame(handler, new PaperChannel(handler).getPipeline().getFirst());
    }

    @ParameterizedTest
    @CsvSource({", DEFAULT", "enforce, ENFORCE", "warn, WARN", "Warn, WARN", "' off ', OFF"})
    void shouldParseItsMode(String value, Sharability mode) {
        assertEquals(mode, Sharability.parse(value));
    }

    @Test
    void shouldReportAnUnknownMode() {
        try (CapturedLog log = CapturedLog.start()) {
            assertEquals(Sharability.DEFAULT, Sharability.parse("lenient"));
            assertEquals(
                    "org.freshet.sharability must be enforce, warn or off; ignored: lenient",
                    log.only().text());
        }
    }
}
