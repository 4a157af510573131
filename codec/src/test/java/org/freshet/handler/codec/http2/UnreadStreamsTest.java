package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

/** Streams that are dropped so that others have room, until there is enough of it. */
class UnreadStreamsTest {
    private final StreamLog log = new StreamLog();
    private final List<StreamChannel> dropped = new ArrayList<>();

    private UnreadStreams twoStreams(Consumer<StreamChannel> drop) {
        FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));
        peer.send(peer.get(1, "/"), peer.get(3, "/"));
        UnreadStreams unread = new UnreadStreams(10, drop);
        log.channels.forEach(each -> unread.add((StreamChannel) each));
        return unread;
    }

    /** If memory runs out, its end goes on a second later. The I/O thread would drop it until then, and do nothing else. */
    @Test
    void shouldDropEachOnceEvenIfItsEndGoesOnLater() {
        UnreadStreams unread = twoStreams(dropped::add);
        assertTrue(unread.dropOldest());
        assertTrue(unread.dropOldest());
        assertFalse(unread.dropOldest());
        assertEquals(log.channels, dropped);
        assertTrue(unread.isEmpty());
    }

    @Test
    void shouldKeepAStreamThatThereIsNoMemoryToDrop() {
        Scarcity scarcity = new Scarcity(0);
        UnreadStreams unread = twoStreams(stream -> {
            scarcity.step();
            dropped.add(stream);
        });
        assertThrows(OutOfMemoryError.class, unread::dropOldest);
        assertTrue(unread.dropOldest());
        assertEquals(List.of(log.channels.get(0)), dropped);
        assertEquals(List.of(log.channels.get(1)), unread.all());
    }
}
