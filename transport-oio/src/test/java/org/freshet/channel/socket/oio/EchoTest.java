package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Echo;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes that make a round trip. */
class EchoTest {
    private static final int STREAM_BYTES = 16 << 20;

    @ParameterizedTest
    @EnumSource
    void shouldEchoToAScriptedPeer(Transport transport) throws IOException {
        try (Rig rig = transport.rig()) {
            Channel server = rig.listen(Echo::new);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                assertEquals("hello", peer.send("hello").readText(5));
                assertEquals("again", peer.sendByteByByte("again".getBytes()).readText(5));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldEchoSixteenMebibytesInRandomFragments(Transport transport) throws Exception {
        byte[] sent = new byte[STREAM_BYTES];
        Random random = Seeds.random();
        random.nextBytes(sent);
        try (Rig rig = transport.rig()) {
            Channel server = rig.listen(Echo::new);
            Collector collector = new Collector(STREAM_BYTES);
            Channel client = rig.connect(server.getLocalAddress(), collector);
            int from = 0;
            while (from < sent.length) {
                int length = Math.min(sent.length - from, 1 + random.nextInt(random.nextBoolean() ? 200 : 100_000));
                ChannelBuffer fragment = random.nextBoolean()
                        ? ChannelBuffers.wrappedBuffer(sent, from, length)
                        : direct(sent, from, length);
                client.write(fragment);
                from += length;
            }
            assertArrayEquals(hash(sent), hash(collector.bytes()));
        }
    }

    private static ChannelBuffer direct(byte[] bytes, int from, int length) {
        ChannelBuffer buffer = ChannelBuffers.directBuffer(length);
        buffer.writeBytes(bytes, from, length);
        return buffer;
    }

    private static byte[] hash(byte[] bytes) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }

    /** Collects a number of bytes. */
    private static final class Collector extends SimpleChannelUpstreamHandler {
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private final CountDownLatch complete = new CountDownLatch(1);
        private final int expected;

        Collector(int expected) {
            this.expected = expected;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws IOException {
            ChannelBuffer buffer = (ChannelBuffer) e.getMessage();
            buffer.getBytes(buffer.readerIndex(), received, buffer.readableBytes());
            if (received.size() >= expected) {
                complete.countDown();
            }
        }

        byte[] bytes() {
            Await.latch(complete, expected + " bytes");
            return received.toByteArray();
        }
    }
}
