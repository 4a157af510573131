package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.buffer.ChannelBuffers;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** A server has ended a connection because of an error, while its client is still sending. */
class Http2LingeringCloseTest {
    private final FakeTimer timer = new FakeTimer();
    private final MemoryChannel channel = MemoryChannel.connected(new Http2ServerHandler(
            new StreamLog()::pipeline,
            Http2Settings.defaults().toBuilder().timer(timer).build()));

    private void receive(byte[] octets) {
        channel.receive(ChannelBuffers.wrappedBuffer(octets));
    }

    private void breakTheProtocol() {
        receive(Http2ServerHandler.PREFACE);
        receive(frame(SETTINGS, 0, 0));
        receive(frame(DATA, 0, 0)); // content of no stream
        channel.takeCaught();
    }

    /** Sends as long as it is read, up to a mebibyte. Returns how much was read. */
    private int upload() {
        int kibibytes = 0;
        while (kibibytes < 1024 && channel.isReadable()) {
            receive(new byte[1024]);
            kibibytes++;
        }
        return kibibytes;
    }

    @Test
    void shouldReadNoMoreThan256KibibytesOfTheRest() {
        breakTheProtocol();
        assertTrue(channel.isOpen());
        assertEquals(256, upload());
        channel.setReadable(true);
        assertFalse(channel.isReadable());
        timer.advanceMillis(2_000);
        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldReadNoMoreAfterAClientThatDoesNotSpeakHttp2() {
        receive(new byte[1]);
        channel.takeCaught();
        assertEquals(256, upload());
        channel.close();
    }

    /** A client that reads only after it has sent everything must be able to. */
    @Test
    void shouldReadOnWhileItsOwnOutputWaits() {
        channel.holdWrites();
        breakTheProtocol();
        assertEquals(1024, upload());
        channel.completeWrites();
        assertEquals(1, upload());
        channel.close();
    }
}
