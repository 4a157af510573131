package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.freshet.channel.SeenEvents.Kind;
import org.freshet.internal.PassesChildEventsOn;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SeenEventsTest {
    private static final Set<Kind> OF_CHILDREN = EnumSet.of(Kind.CHILD_OPEN, Kind.CHILD_CLOSED);

    private static class Reading extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {}
    }

    private static final class Greeting extends SimpleChannelHandler {
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

    @PassesChildEventsOn
    private static final class Parent extends Everything {}

    private static Set<Kind> seen(ChannelPipeline pipeline) {
        Set<Kind> seen = EnumSet.noneOf(Kind.class);
        for (Kind kind : Kind.values()) {
            if (((DefaultChannelPipeline) pipeline).mayBeSeen(kind)) {
                seen.add(kind);
            }
        }
        return seen;
    }

    private static Set<Kind> seenBy(ChannelHandler... handlers) {
        return seen(Channels.pipeline(handlers));
    }

    @Test
    void shouldBeTheOnesWhoseMethodsAHandlerOverrides() {
        assertEquals(Set.of(), seenBy(new Reading()));
        assertEquals(EnumSet.of(Kind.CONNECTED, Kind.WRITTEN), seenBy(new Greeting()));
        assertEquals(EnumSet.of(Kind.CONNECTED, Kind.WRITTEN), seenBy(new Reading(), new Greeting(), new Reading()));
    }

    @Test
    void shouldBeAllIfAHandlerDispatchesThemItself() {
        assertEquals(EnumSet.allOf(Kind.class), seenBy(new Everything()));
        assertEquals(EnumSet.complementOf(EnumSet.copyOf(OF_CHILDREN)), seenBy(new Parent()));
        assertEquals(EnumSet.allOf(Kind.class), seenBy(new SimpleChannelHandler() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
                ctx.sendUpstream(e);
            }
        }));
    }

    /** Otherwise nothing would report that they are discarded. */
    @Test
    void shouldBeAllWithoutAnUpstreamHandler() {
        assertEquals(EnumSet.allOf(Kind.class), seen(Channels.pipeline()));
        assertEquals(EnumSet.allOf(Kind.class), seenBy(new SimpleChannelDownstreamHandler()));
    }

    @Test
    void shouldBeAllInASubclassOfThePipeline() {
        ChannelPipeline pipeline = new DefaultChannelPipeline() {};
        pipeline.addLast("reading", new Reading());
        assertEquals(EnumSet.allOf(Kind.class), seen(pipeline));
    }

    @Test
    void shouldFollowThePipeline() {
        ChannelPipeline pipeline = Channels.pipeline(new Reading());
        pipeline.addFirst("greeting", new Greeting());
        assertTrue(seen(pipeline).contains(Kind.CONNECTED));
        pipeline.replace("greeting", "reading", new Reading());
        assertEquals(Set.of(), seen(pipeline));
        pipeline.addLast("all", new Everything());
        pipeline.remove("reading");
        assertEquals(EnumSet.allOf(Kind.class), seen(pipeline));
        pipeline.remove("all");
        assertEquals(Set.of(), seen(pipeline));
        pipeline.removeFirst();
        assertEquals(EnumSet.allOf(Kind.class), seen(pipeline));
    }

    /** Each method of a Simple handler, overridden by itself. */
    private static final class Single extends SimpleChannelUpstreamHandler {
        private final Set<Kind> seen = EnumSet.noneOf(Kind.class);

        @Override
        public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(Kind.OPEN);
        }

        @Override
        public void channelBound(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(Kind.BOUND);
        }

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(Kind.CONNECTED);
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(Kind.INTEREST_CHANGED);
        }

        @Override
        public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(Kind.DISCONNECTED);
        }

        @Override
        public void channelUnbound(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(Kind.UNBOUND);
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            seen.add(Kind.CLOSED);
        }

        @Override
        public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
            seen.add(Kind.WRITTEN);
        }

        @Override
        public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
            seen.add(Kind.CHILD_OPEN);
        }

        @Override
        public void childChannelClosed(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
            seen.add(Kind.CHILD_CLOSED);
        }
    }

    private static void fire(Kind kind, Channel channel) {
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
    void shouldReachTheirMethod(Kind kind) {
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
}
