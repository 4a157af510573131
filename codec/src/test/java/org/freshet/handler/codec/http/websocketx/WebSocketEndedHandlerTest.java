package org.freshet.handler.codec.http.websocketx;

import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler that was removed does nothing more to the channel, and leaves no time-outs. */
class WebSocketEndedHandlerTest {
    private final FakeTimer time = new FakeTimer();

    /** Runs before each time-out begins, like another thread that is faster. */
    private Runnable before = () -> {};

    private final Timer timer = new Timer() {
        @Override
        public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
            before.run();
            return time.newTimeout(task, delay, unit);
        }

        @Override
        public Set<Timeout> stop() {
            return time.stop();
        }
    };

    private final MemoryChannel channel =
            Http.CODEC.serverChannel(new WebSocketServerProtocolHandler(WebSocketServerConfig.builder("/chat")
                    .timer(timer)
                    .closeTimeout(Duration.ofSeconds(3))
                    .build()));

    private void open() {
        channel.receive(bytes(request()));
        takeSent(channel);
    }

    private void sendClose() {
        channel.write(new CloseWebSocketFrame(1000, ""));
    }

    private void removeHandler() {
        channel.getPipeline().remove(WebSocketServerProtocolHandler.class);
    }

    /** The time for the answer was over, but the I/O thread hasn't come to it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotCloseTheChannel(boolean isCloseFrameSent) {
        open();
        if (!isCloseFrameSent) {
            channel.holdWrites();
        }
        sendClose();
        channel.holdTasks();
        time.advance(Duration.ofSeconds(3));
        removeHandler();
        assertTrue(channel.runTasks() > 0);
        assertTrue(channel.isOpen());
        assertEquals(0, time.pendingTimeouts());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldCancelATimeOutThatBeginsJustThen(int removedAt) {
        int[] begun = {0};
        open();
        before = () -> {
            if (++begun[0] == removedAt) {
                removeHandler();
            }
        };
        sendClose();
        assertEquals(0, time.pendingTimeouts());
        assertTrue(channel.isOpen());
    }
}
