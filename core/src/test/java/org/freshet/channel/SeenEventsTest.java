package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.PartialLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SeenEventsTest {
    public static class Reading extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {}
    }

    public static final class Greeting extends SimpleChannelHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {}

        @Override
        public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {}
    }

    private static class Everything implements ChannelUpstreamHandler {
        final List<String> seen = new ArrayList<>();

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            seen.add(e instanceof ChannelStateEvent change ? change.getState() + "=" + change.getValue() : "other");
            ctx.sendUpstream(e);
        }
    }

    @ActsOn(EventKind.CLOSED)
    private static class Closing extends Everything {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            ctx.sendUpstream(e);
        }
    }

    /** Overrides a marked method of a Simple handler by another. */
    @ActsOn({EventKind.OPEN, EventKind.WRITTEN})
    private static class Counting extends SimpleChannelUpstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            super.handleUpstream(ctx, e);
        }

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            ctx.sendUpstream(e);
        }
    }

    @ActsOn({})
    private static final class Filtering extends Counting {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            super.handleUpstream(ctx, e);
        }

        @Override
        public void channelBound(ChannelHandlerContext ctx, ChannelStateEvent e) {
            ctx.sendUpstream(e);
        }
    }

    private static Set<EventKind> seen(ChannelPipeline pipeline) {
        Set<EventKind> seen = EnumSet.noneOf(EventKind.class);
        for (EventKind kind : EventKind.values()) {
            if (((DefaultChannelPipeline) pipeline).mayBeSeen(kind)) {
                seen.add(kind);
            }
        }
        return seen;
    }

    private static Set<EventKind> seenBy(ChannelHandler... handlers) {
        return seen(Channels.pipeline(handlers));
    }

    @Test
    void shouldBeTheOnesWhoseMethodsAHandlerOverrides() {
        assertEquals(Set.of(), seenBy(new Reading()));
        assertEquals(EnumSet.of(EventKind.CONNECTED, EventKind.WRITTEN), seenBy(new Greeting()));
        assertEquals(
                EnumSet.of(EventKind.CONNECTED, EventKind.WRITTEN),
                seenBy(new Reading(), new Greeting(), new Reading()));
    }

    @Test
    void shouldBeDeterminedForAClassThatIsNewAndKept() throws ReflectiveOperationException {
        ChannelHandler greeting = (ChannelHandler) PartialLoader.newInstanceOfAnother(Greeting.class);
        assertEquals(EnumSet.of(EventKind.CONNECTED, EventKind.WRITTEN), seenBy(greeting));
        assertEquals(EnumSet.of(EventKind.CONNECTED, EventKind.WRITTEN), seenBy(greeting));
        assertEquals(Set.of(), seenBy((ChannelHandler) PartialLoader.newInstanceOfAnother(Reading.class)));
    }

    @Test
    void shouldBeAllIfAHandlerDispatchesThemItself() {
        assertEquals(EnumSet.allOf(EventKind.class), seenBy(new Everything()));
        assertEquals(EnumSet.allOf(EventKind.class), seenBy(new SimpleChannelHandler() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
                ctx.sendUpstream(e);
            }
        }));
    }

    @Test
    void shouldBeTheOnesThatAMarkNamesAndThoseOfTheMethodsBelow() {
        assertEquals(EnumSet.of(EventKind.OPEN, EventKind.CONNECTED, EventKind.WRITTEN), seenBy(new Counting()));
        assertEquals(
                EnumSet.of(EventKind.OPEN, EventKind.BOUND, EventKind.CONNECTED, EventKind.WRITTEN),
                seenBy(new Filtering()));
    }

    @Test
    void shouldBeAllIfAMarkedMethodMayCallOneThatIsNot() {
        assertEquals(EnumSet.allOf(EventKind.class), seenBy(new Closing()));
    }

    /** A subclass may do anything with an event before it calls the marked method. */
    @Test
    void shouldBeAllInASubclassThatOverridesAMarkedMethod() {
        assertEquals(EnumSet.allOf(EventKind.class), seenBy(new Counting() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {}
        }));
    }

    /** Otherwise nothing would report that they are discarded. */
    @Test
    void shouldBeAllWithoutAnUpstreamHandler() {
        assertEquals(EnumSet.allOf(EventKind.class), seen(Channels.pipeline()));
        assertEquals(EnumSet.allOf(EventKind.class), seenBy(new SimpleChannelDownstreamHandler()));
    }

    @Test
    void shouldBeAllInASubclassOfThePipeline() {
        ChannelPipeline pipeline = new DefaultChannelPipeline() {};
        pipeline.addLast("reading", new Reading());
        assertEquals(EnumSet.allOf(EventKind.class), seen(pipeline));
    }

    @Test
    void shouldFollowThePipeline() {
        ChannelPipeline pipeline = Channels.pipeline(new Reading());
        pipeline.addFirst("greeting", new Greeting());
        assertTrue(seen(pipeline).contains(EventKind.CONNECTED));
        pipeline.replace("greeting", "reading", new Reading());
        assertEquals(Set.of(), seen(pipeline));
        pipeline.addLast("all", new Everything());
        pipeline.remove("reading");
        assertEquals(EnumSet.allOf(EventKind.class), seen(pipeline));
        pipeline.remove("all");
        assertEquals(Set.of(), seen(pipeline));
        pipeline.removeFirst();
        assertEquals(EnumSet.allOf(EventKind.class), seen(pipeline));
    }

    /** Each method of a Simple handler, overridden by itself. */
    private static final class Single extends SimpleChannelUpstreamHandler {
        private final Set<EventKind> seen = EnumSet.noneOf(EventKind.class);

        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(EventKind.OPEN);
        }

        @Override
        public void channelBound(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(EventKind.BOUND);
        }

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(EventKind.CONNECTED);
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(EventKind.INTEREST_CHANGED);
        }

        @Override
        public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(EventKind.DISCONNECTED);
        }

        @Override
        public void channelUnbound(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(EventKind.UNBOUND);
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(EventKind.CLOSED);
        }

        @Override
        public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
            seen.add(EventKind.WRITTEN);
        }

        @Override
        public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
            seen.add(EventKind.CHILD_OPEN);
        }

        @Override
        public void childChannelClosed(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
            seen.add(EventKind.CHILD_CLOSED);
        }
    }

    private static void fire(EventKind kind, Channel channel) {
        switch (kind) {
            case OPEN, CHILD_OPEN -> Channels.fireChannelOpen(channel);
            case BOUND -> Channels.fireChannelBound(channel, channel.getLocalAddress());
            case CONNECTED -> Channels.fireChannelConnected(channel, channel.getRemoteAddress());
            case INTEREST_CHANGED -> Channels.fireChannelInterestChanged(channel);
            case DISCONNECTED -> Channels.fireChannelDisconnected(channel);
            case UNBOUND -> Channels.fireChannelUnbound(channel);
            case CLOSED, CHILD_CLOSED -> Channels.fireChannelClosed(channel);
            case WRITTEN -> Channels.fireWriteComplete(channel, 1);
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"CHILD_OPEN", "CHILD_CLOSED"})
    void shouldReachTheirMethod(EventKind kind) {
        Single handler = new Single();
        MemoryChannel channel = MemoryChannel.connected(new Reading(), handler);
        handler.seen.clear();
        fire(kind, channel);
        assertEquals(Set.of(kind), handler.seen);
    }

    @Test
    void shouldReachAHandlerThatIsAddedWhileTheChannelIsOpen() {
        MemoryChannel channel = MemoryChannel.connected(new Reading());
        Everything all = new Everything();
        channel.getPipeline().addFirst("all", all);
        channel.setReadable(false);
        channel.close();
        assertFalse(all.seen.isEmpty());
        assertEquals("OPEN=false", all.seen.get(all.seen.size() - 1));
    }

    /** The type of a parameter, which is loaded when the public methods of {@link Referring} are looked at. */
    static final class Parameter {}

    static final class Referring extends SimpleChannelUpstreamHandler {
        @SuppressWarnings("unused")
        public void take(Parameter parameter) {}
    }

    /** Loads a handler's class again, and notes whether that happens under a pipeline's monitor. */
    private static final class NotingLoader extends ClassLoader {
        private final List<String> loaded = new ArrayList<>();
        private final ChannelPipeline pipeline;

        NotingLoader(ChannelPipeline pipeline) {
            super(SeenEventsTest.class.getClassLoader());
            this.pipeline = pipeline;
        }

        ChannelHandler newHandler() throws ReflectiveOperationException {
            Constructor<?> constructor = loadClass(Referring.class.getName()).getDeclaredConstructor();
            constructor.setAccessible(true);
            return (ChannelHandler) constructor.newInstance();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> known = findLoadedClass(name);
            if (known != null || !name.startsWith(SeenEventsTest.class.getName())) {
                return known != null ? known : super.loadClass(name, resolve);
            }
            loaded.add(name + (Thread.holdsLock(pipeline) ? " under the monitor" : ""));
            try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void shouldBeDeterminedOutsideThePipelinesMonitor() throws ReflectiveOperationException {
        ChannelPipeline pipeline = Channels.pipeline();
        NotingLoader loader = new NotingLoader(pipeline);
        pipeline.addLast("referring", loader.newHandler());
        assertEquals(List.of(Referring.class.getName(), Parameter.class.getName()), loader.loaded);
    }
}
