package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.ScriptedServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A peer that reads nothing must not block the writing thread forever. */
class WriteStallTest {
    /** More than the kernel's buffers hold. */
    private static final int FLOOD_BYTES = 32 << 20;

    @ParameterizedTest
    @EnumSource
    void shouldCloseAndFailAWriteThatThePeerDoesNotRead(Transport transport) throws IOException {
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Channel channel = rig.connect(server.address());
            channel.getConfig().setOption("writeStallTimeoutMillis", 40);
            try (ScriptedPeer peer = server.accept()) {
                ChannelClosedException failure = assertInstanceOf(
                        ChannelClosedException.class,
                        Await.failure(channel.write(ChannelBuffers.wrappedBuffer(new byte[FLOOD_BYTES])), "the write"));
                assertEquals(Kind.TIMED_OUT, failure.getReason().kind());
                assertTrue(peer.readToEnd().length < FLOOD_BYTES);
                assertTrue(failure.getMessage().contains("writeStallTimeoutMillis"), failure::getMessage);
                Await.done(channel.getCloseFuture(), "the close");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendAllToAPeerThatReads(Transport transport) throws Exception {
        int bytes = 1 << 20;
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Channel channel = rig.connect(server.address());
            channel.getConfig().setOption("writeStallTimeoutMillis", 60_000);
            try (ScriptedPeer peer = server.accept()) {
                Thread writer = new Thread(() -> channel.write(ChannelBuffers.wrappedBuffer(new byte[bytes])));
                writer.start();
                assertEquals(bytes, peer.read(bytes).length);
                Await.end(writer);
                assertTrue(channel.isOpen());
            }
        }
    }
}
