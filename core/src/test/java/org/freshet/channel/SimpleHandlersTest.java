package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimpleHandlersTest {
    private static final PaperChannel CHANNEL = new PaperChannel();
    private static final PaperChannel CLOSED = new PaperChannel();

    static {
        CLOSED.closeNow();
    }

    /** An event and the method that handles it; null if no method does. */
    record Case(ChannelEvent event, String method) {}

    static List<Case> upstream() {
        return List.of(
                new Case(new UpstreamMessageEvent(CHANNEL, "m", null), "messageReceived"),
                new Case(new DefaultExceptionEvent(CHANNEL, new Exception()), "exceptionCaught"),
                new Case(new DefaultWriteCompletionEvent(CHANNEL, 1), "writeComplete"),
                new Case(new DefaultChildChannelStateEvent(CHANNEL, CHANNEL), "childChannelOpen"),
                new Case(new DefaultChildChannelStateEvent(CHANNEL, CLOSED), "childChannelClosed"),
                new Case(new DefaultChildChannelStateEvent(CHANNEL, CLOSED, true), "childChannelOpen"),
                new Case(new DefaultChildChannelStateEvent(CHANNEL, CHANNEL, false), "childChannelClosed"),
                new Case(new StrangeChildEvent(CHANNEL), "childChannelOpen"),
                new Case(new StrangeChildEvent(CLOSED), "childChannelClosed"),
                new Case(new InputShutdownEvent(CHANNEL), "inputShutdown"),
                new Case(up(ChannelState.OPEN, true), "channelOpen"),
                new Case(up(ChannelState.OPEN, false), "channelClosed"),
                new Case(up(ChannelState.OPEN, null), "channelClosed"),
                new Case(up(ChannelState.BOUND, "here"), "channelBound"),
                new Case(up(ChannelState.BOUND, null), "channelUnbound"),
                new Case(up(ChannelState.CONNECTED, "there"), "channelConnected"),
                new Case(up(ChannelState.CONNECTED, null), "channelDisconnected"),
                new Case(up(ChannelState.INTEREST_OPS, 1), "channelInterestChanged"),
                new Case(new StrangeEvent(), null));
    }

    static List<Case> downstream() {
        return List.of(
                new Case(new DownstreamMessageEvent(CHANNEL, Channels.future(CHANNEL), "m", null), "writeRequested"),
                new Case(down(ChannelState.OPEN, false), "closeRequested"),
                new Case(down(ChannelState.OPEN, null), "closeRequested"),
                new Case(down(ChannelState.OPEN, true), null),
                new Case(down(ChannelState.BOUND, "here"), "bindRequested"),
                new Case(down(ChannelState.BOUND, null), "unbindRequested"),
                new Case(down(ChannelState.CONNECTED, "there"), "connectRequested"),
                new Case(down(ChannelState.CONNECTED, null), "disconnectRequested"),
                new Case(down(ChannelState.INTEREST_OPS, 0), "setInterestOpsRequested"),
                new Case(new StrangeEvent(), null));
    }

    private static ChannelEvent up(ChannelState state, Object value) {
        return new UpstreamChannelStateEvent(CHANNEL, state, value);
    }

    private static ChannelEvent down(ChannelState state, Object value) {
        return new DownstreamChannelStateEvent(CHANNEL, Channels.future(CHANNEL), state, value);
    }

    /** It doesn't say what happened to the child. */
    private static final class StrangeChildEvent extends StrangeEvent implements ChildChannelStateEvent {
        private final Channel child;

        StrangeChildEvent(Channel child) {
            this.child = child;
        }

        @Override
        public Channel getChildChannel() {
            return child;
        }
    }

    private static class StrangeEvent implements ChannelEvent {
        @Override
        public Channel getChannel() {
            return CHANNEL;
        }

        @Override
        public ChannelFuture getFuture() {
            return Channels.succeededFuture(CHANNEL);
        }
    }

    @ParameterizedTest
    @MethodSource("upstream")
    void shouldDispatchAnUpstreamEventToItsMethod(Case one) throws Exception {
        List<String> called = new ArrayList<>();
        List<ChannelEvent> passedOn = new ArrayList<>();
        UpstreamMethods.hand(recorder(UpstreamMethods.class, called), context(passedOn, "sendUpstream"), one.event);
        checkCall(one, called, passedOn);
    }

    @ParameterizedTest
    @MethodSource("downstream")
    void shouldDispatchADownstreamEventToItsMethod(Case one) throws Exception {
        List<String> called = new ArrayList<>();
        List<ChannelEvent> passedOn = new ArrayList<>();
        DownstreamMethods.hand(
                recorder(DownstreamMethods.class, called), context(passedOn, "sendDownstream"), one.event);
        checkCall(one, called, passedOn);
    }

    private static void checkCall(Case one, List<String> called, List<ChannelEvent> passedOn) {
        assertEquals(one.method == null ? List.of() : List.of(one.method), called);
        assertEquals(one.method == null ? List.of(one.event) : List.of(), passedOn);
    }

    @ParameterizedTest
    @MethodSource("upstream")
    void shouldPassUpstreamEventsOnByDefault(Case one) throws Exception {
        for (ChannelUpstreamHandler handler : List.of(new SimpleChannelUpstreamHandler(), new SimpleChannelHandler())) {
            List<ChannelEvent> passedOn = new ArrayList<>();
            handler.handleUpstream(context(passedOn, "sendUpstream"), one.event);
            assertEquals(1, passedOn.size());
            assertSame(one.event, passedOn.get(0));
        }
    }

    @ParameterizedTest
    @MethodSource("downstream")
    void shouldPassDownstreamEventsOnByDefault(Case one) throws Exception {
        for (ChannelDownstreamHandler handler :
                List.of(new SimpleChannelDownstreamHandler(), new SimpleChannelHandler())) {
            List<ChannelEvent> passedOn = new ArrayList<>();
            handler.handleDownstream(context(passedOn, "sendDownstream"), one.event);
            assertEquals(1, passedOn.size());
            assertSame(one.event, passedOn.get(0));
        }
    }

    @Test
    void shouldLetAnOverrideReachTheDefaultThroughSuper() {
        List<Object> seen = new ArrayList<>();
        ChannelHandler first = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
                seen.add("first");
                super.messageReceived(ctx, e);
            }
        };
        ChannelHandler second = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                seen.add(e.getMessage());
            }
        };
        Channels.fireMessageReceived(new PaperChannel(first, second), "m");
        assertEquals(List.of("first", "m"), seen);
    }

    private static <T> T recorder(Class<T> type, List<String> called) {
        return proxy(type, (self, method, arguments) -> {
            called.add(method.getName());
            return null;
        });
    }

    private static ChannelHandlerContext context(List<ChannelEvent> passedOn, String way) {
        return proxy(ChannelHandlerContext.class, (self, method, arguments) -> {
            assertEquals(way, method.getName());
            passedOn.add((ChannelEvent) arguments[0]);
            return null;
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }
}
