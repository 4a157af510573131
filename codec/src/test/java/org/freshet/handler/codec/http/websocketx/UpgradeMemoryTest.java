package org.freshet.handler.codec.http.websocketx;

import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.endInput;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.HttpErrorResponder;
import org.freshet.handler.codec.http.server.HttpKeepAliveHandler;
import org.freshet.handler.codec.http.server.HttpTimeouts;
import org.freshet.handler.codec.http.server.TimeoutHandlers;
import org.freshet.handler.codec.internal.CoderPool;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Connections that were upgraded from HTTP leak nothing. {@code -Dfreshet.test.cycles=100000} opens more of them. */
class UpgradeMemoryTest {
    private static final int UPGRADES = Integer.getInteger("freshet.test.cycles", 2000);

    private final FakeTimer timer = new FakeTimer();
    private final WebSocketServerConfig config = WebSocketServerConfig.builder("/chat")
            .timer(timer)
            .extensions(PerMessageDeflate.builder().threshold(0).build())
            .build();

    private MemoryChannel upgraded() {
        MemoryChannel channel = MemoryChannel.connected(
                TimeoutHandlers.on(timer, HttpTimeouts.defaults()),
                new HttpServerCodec(),
                new HttpKeepAliveHandler(),
                new HttpErrorResponder(),
                new WebSocketServerProtocolHandler(config));
        channel.receive(bytes(request("Sec-WebSocket-Extensions: permessage-deflate")));
        assertTrue(takeSent(channel).startsWith("HTTP/1.1 101 "));
        channel.write(new TextWebSocketFrame("hello, hello, hello"));
        return channel;
    }

    private void end(MemoryChannel channel, int how) {
        switch (how) {
            case 0 -> channel.close(); // waits for an answer to its close frame that never comes
            case 1 -> channel.receive(bytes("\u0088\u0080\u0000\u0000\u0000\u0000"));
            default -> {
                channel.receive(bytes("\u0000\u0000")); // not a frame
                endInput(channel);
            }
        }
        timer.advanceMillis(10_000);
        assertFalse(channel.isOpen(), () -> "end " + how);
    }

    @Test
    void shouldLeaveNothingOfConnectionsThatWereUpgraded() {
        int takenBefore = CoderPool.taken();
        List<WeakReference<MemoryChannel>> channels = new ArrayList<>();
        for (int i = 0; i < UPGRADES; i++) {
            MemoryChannel channel = upgraded();
            end(channel, i % 3);
            channels.add(new WeakReference<>(channel));
        }
        assertEquals(0, timer.pendingTimeouts());
        assertEquals(takenBefore, CoderPool.taken());
        Await.until(
                () -> {
                    System.gc();
                    return channels.stream().allMatch(channel -> channel.get() == null);
                },
                () -> channels.stream().filter(channel -> channel.get() != null).count() + " channels are still held");
    }
}
