package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChannelEventTest {
    private static final SocketAddress OTHER = InetSocketAddress.createUnresolved("other", 9);

    private final PaperChannel channel = new PaperChannel();
    private final ChannelFuture future = Channels.future(channel);

    private List<ChannelEvent> upstreamEvents() {
        return List.of(
                new UpstreamMessageEvent(channel, "m", null),
                new UpstreamChannelStateEvent(channel, ChannelState.OPEN, true),
                new DefaultExceptionEvent(channel, new Exception("e")),
                new DefaultWriteCompletionEvent(channel, 1),
                new DefaultChildChannelStateEvent(channel, channel));
    }

    @Test
    void shouldHaveASucceededFutureOnTheWayUp() {
        for (ChannelEvent e : upstreamEvents()) {
            assertTrue(e.getFuture().isSuccess(), e.toString());
            assertSame(channel, e.getFuture().getChannel(), e.toString());
            assertSame(channel, e.getChannel(), e.toString());
        }
    }

    @Test
    void shouldKeepTheRequestersFutureOnTheWayDown() {
        assertSame(future, new DownstreamMessageEvent(channel, future, "m", null).getFuture());
        assertSame(future, new DownstreamChannelStateEvent(channel, future, ChannelState.OPEN, false).getFuture());
    }

    @Test
    void shouldNameThePeerIfAMessageHasNoAddress() {
        MessageEvent up = new UpstreamMessageEvent(channel, "m", null);
        MessageEvent down = new DownstreamMessageEvent(channel, future, "m", null);
        assertEquals(PaperChannel.PEER, up.getRemoteAddress());
        assertEquals(PaperChannel.PEER, down.getRemoteAddress());
        assertEquals(channel + " RECEIVED: m", up.toString());
        assertEquals(channel + " WRITE: m", down.toString());
    }

    @Test
    void shouldNameTheOtherEndOfAMessage() {
        MessageEvent up = new UpstreamMessageEvent(channel, "m", OTHER);
        MessageEvent down = new DownstreamMessageEvent(channel, future, "m", OTHER);
        assertEquals(OTHER, up.getRemoteAddress());
        assertEquals(OTHER, down.getRemoteAddress());
        assertEquals(channel + " RECEIVED: m from " + OTHER, up.toString());
        assertEquals(channel + " WRITE: m to " + OTHER, down.toString());
    }

    @Test
    void shouldNotNameThePeerOfAConnection() {
        assertEquals(channel + " RECEIVED: m", new UpstreamMessageEvent(channel, "m", PaperChannel.PEER).toString());
        assertEquals(
                channel + " WRITE: m", new DownstreamMessageEvent(channel, future, "m", PaperChannel.PEER).toString());
    }

    @ParameterizedTest
    @CsvSource({
        "OPEN, true, OPEN, OPEN",
        "OPEN, false, CLOSED, CLOSE",
        "OPEN, , CLOSED, CLOSE",
        "BOUND, here, BOUND: here, BIND: here",
        "BOUND, , UNBOUND, UNBIND",
        "CONNECTED, there, CONNECTED: there, CONNECT: there",
        "CONNECTED, , DISCONNECTED, DISCONNECT",
        "INTEREST_OPS, 1, INTEREST_CHANGED, CHANGE_INTEREST: 1"
    })
    void shouldDescribeAStateInWords(ChannelState state, String text, String up, String down) {
        Object value = state == ChannelState.OPEN && text != null ? Boolean.valueOf(text) : text;
        ChannelStateEvent change = new UpstreamChannelStateEvent(channel, state, value);
        ChannelStateEvent request = new DownstreamChannelStateEvent(channel, future, state, value);
        assertEquals(channel + " " + up, change.toString());
        assertEquals(channel + " " + down, request.toString());
        assertEquals(state, change.getState());
        assertEquals(state, request.getState());
        assertEquals(value, change.getValue());
        assertEquals(value, request.getValue());
    }

    @Test
    void shouldDescribeTheOtherEventsInWordsToo() {
        PaperChannel child = new PaperChannel();
        assertEquals(
                channel + " CHILD_OPEN: " + child.getId(),
                new DefaultChildChannelStateEvent(channel, child).toString());
        child.closeNow();
        assertEquals(
                channel + " CHILD_CLOSED: " + child.getId(),
                new DefaultChildChannelStateEvent(channel, child).toString());
        assertEquals(channel + " WRITTEN_AMOUNT: 5", new DefaultWriteCompletionEvent(channel, 5).toString());
        assertEquals(
                channel + " EXCEPTION: java.lang.Exception: e",
                new DefaultExceptionEvent(channel, new Exception("e")).toString());
        assertEquals(channel + " INPUT_SHUTDOWN", new InputShutdownEvent(channel).toString());
    }

    @Test
    void shouldRefuseNullExceptForValuesAndAddresses() {
        refusesNull("channel", () -> new UpstreamMessageEvent(null, "m", null));
        refusesNull("message", () -> new UpstreamMessageEvent(channel, null, null));
        refusesNull("channel", () -> new DownstreamMessageEvent(null, future, "m", null));
        refusesNull("future", () -> new DownstreamMessageEvent(channel, null, "m", null));
        refusesNull("message", () -> new DownstreamMessageEvent(channel, future, null, null));
        refusesNull("channel", () -> new UpstreamChannelStateEvent(null, ChannelState.OPEN, true));
        refusesNull("state", () -> new UpstreamChannelStateEvent(channel, null, true));
        refusesNull("channel", () -> new DownstreamChannelStateEvent(null, future, ChannelState.OPEN, true));
        refusesNull("future", () -> new DownstreamChannelStateEvent(channel, null, ChannelState.OPEN, true));
        refusesNull("state", () -> new DownstreamChannelStateEvent(channel, future, null, true));
        refusesNull("channel", () -> new DefaultExceptionEvent(null, new Exception()));
        refusesNull("cause", () -> new DefaultExceptionEvent(channel, null));
        refusesNull("channel", () -> new DefaultWriteCompletionEvent(null, 1));
        refusesNull("parentChannel", () -> new DefaultChildChannelStateEvent(null, channel));
        refusesNull("childChannel", () -> new DefaultChildChannelStateEvent(channel, null));
        assertNull(new UpstreamChannelStateEvent(channel, ChannelState.BOUND, null).getValue());
    }

    private static void refusesNull(String what, Supplier<ChannelEvent> event) {
        assertEquals(what, assertThrows(NullPointerException.class, event::get).getMessage());
    }

    @Test
    void shouldCountAtLeastOneWrittenByte() {
        Throwable e = assertThrows(IllegalArgumentException.class, () -> new DefaultWriteCompletionEvent(channel, 0));
        assertEquals("writtenAmount <= 0: 0", e.getMessage());
        assertEquals(1, new DefaultWriteCompletionEvent(channel, 1).getWrittenAmount());
    }
}
