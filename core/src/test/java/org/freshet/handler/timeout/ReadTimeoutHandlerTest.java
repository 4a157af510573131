package org.freshet.handler.timeout;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class ReadTimeoutHandlerTest {
    private final FakeTimer timer = new FakeTimer();
    private final ReadTimeoutHandler handler = new ReadTimeoutHandler(timer, 100, MILLISECONDS);

    @Test
    void shouldRaiseAnExceptionWhenNothingWasReceived() {
        MemoryChannel channel = MemoryChannel.connected(handler);
        timer.advanceMillis(99);
        assertEquals(List.of(), channel.takeCaught());
        timer.advanceMillis(1);
        List<Throwable> caught = channel.takeCaught();
        assertEquals(1, caught.size());
        assertInstanceOf(ReadTimeoutException.class, caught.get(0));
        assertEquals("nothing was received for 100 ms", caught.get(0).getMessage());
        assertTrue(channel.isOpen());
        timer.advanceMillis(100);
        assertEquals(1, channel.takeCaught().size(), "exceptions in the second interval");
    }

    @Test
    void shouldStaySilentWhileMessagesArrive() {
        MemoryChannel channel = MemoryChannel.connected(handler);
        for (int i = 0; i < 10; i++) {
            timer.advanceMillis(60);
            channel.receive(i);
            assertEquals(List.of(i), channel.takeReceived());
        }
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldStopWhenClosedOrRemoved() {
        MemoryChannel closed = MemoryChannel.connected(handler);
        MemoryChannel other = MemoryChannel.connected(handler);
        assertEquals(2, timer.pendingTimeouts());
        closed.close();
        assertEquals(1, timer.pendingTimeouts());
        other.getPipeline().remove(handler);
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldStartWhenAddedToAnOpenChannel() {
        MemoryChannel channel = MemoryChannel.connected();
        channel.getPipeline().addFirst("timeout", handler);
        timer.advanceMillis(100);
        assertEquals(1, channel.takeCaught().size());
    }

    @Test
    void shouldLetAnOverrideDecideWhatToDo() {
        ReadTimeoutHandler closing = new ReadTimeoutHandler(timer, 100, MILLISECONDS) {
            @Override
            protected void readTimedOut(ChannelHandlerContext ctx) {
                ctx.getChannel().close();
            }
        };
        MemoryChannel channel = MemoryChannel.connected(closing);
        timer.advanceMillis(100);
        assertEquals(List.of(), channel.takeCaught());
        assertEquals(false, channel.isOpen());
    }

    @Test
    void shouldNeverTimeOutWithATimeOfZero() {
        MemoryChannel.connected(new ReadTimeoutHandler(timer, 0));
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldStopItsTimerWhenReleased() {
        handler.releaseExternalResources();
        assertTrue(timer.isStopped());
    }
}
