package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.compression.ZlibDecoder;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decoders above TLS, where a channel closed by a handler stays open until the peer has been notified. */
@Tag("crypto")
class TlsDecodersTest {
    /** Records messages. Fails at "bad" and closes at any failure; closes at "bye" and at long pieces. */
    private static final class Closer extends SimpleChannelUpstreamHandler {
        final List<String> seen = new ArrayList<>();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ChannelBuffer frame = (ChannelBuffer) e.getMessage();
            boolean isLong = frame.readableBytes() > 99;
            String text = isLong ? "long" : frame.toString(US_ASCII);
            seen.add(text);
            if (text.equals("bad")) {
                throw new IllegalStateException("bad");
            } else if (isLong || text.equals("bye")) {
                e.getChannel().close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            seen.add("failure");
            e.getChannel().close();
        }
    }

    private static List<String> receive(String protocol, ChannelHandler decoder, byte[]... reads) throws Exception {
        Closer closer = new Closer();
        SslHandler serverHandler =
                Certificates.server().protocols(protocol).build().newHandler();
        SslHandler clientHandler =
                Certificates.client().protocols(protocol).build().newHandler("localhost", 443);
        MemoryChannel server = MemoryChannel.connected(serverHandler, decoder, closer);
        MemoryChannel client = MemoryChannel.connected(clientHandler);
        TlsPair pair = new TlsPair(clientHandler, client, serverHandler, server, () -> Integer.MAX_VALUE).established();
        for (byte[] read : reads) {
            client.write(ChannelBuffers.wrappedBuffer(read));
        }
        pair.pump();
        assertFalse(server.isOpen());
        return closer.seen;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(strings = {TlsPair.TLS_1_2, TlsPair.TLS_1_3})
    void shouldDecodeNothingAfterAFailureThatClosed(String protocol) throws Exception {
        assertEquals(
                List.of("a", "bad", "failure"),
                receive(protocol, new LineBasedFrameDecoder(99), bytes("a\nbad\nb\nbad\n"), bytes("c\n")));
        assertEquals(
                List.of("a", "failure"),
                receive(protocol, new LineBasedFrameDecoder(3), bytes("a\ntoo long\nb\n"), bytes("c\n")));
    }

    @ParameterizedTest
    @ValueSource(strings = {TlsPair.TLS_1_2, TlsPair.TLS_1_3})
    void shouldDecodeTheRestOfAReadWhenAHandlerClosesWithoutAFailure(String protocol) throws Exception {
        assertEquals(List.of("a", "bye", "b"), receive(protocol, new LineBasedFrameDecoder(99), bytes("a\nbye\nb\n")));
    }

    @ParameterizedTest
    @ValueSource(strings = {TlsPair.TLS_1_2, TlsPair.TLS_1_3})
    void shouldInflateNothingAfterThePieceOnWhichAHandlerClosed(String protocol) throws Exception {
        byte[] deflated = new byte[4096];
        Deflater deflater = new Deflater();
        deflater.setInput(new byte[1 << 20]);
        deflater.finish();
        int length = deflater.deflate(deflated);
        deflater.end();
        byte[] bomb = java.util.Arrays.copyOf(deflated, length);
        assertEquals(List.of("long"), receive(protocol, new ZlibDecoder(), bomb));
    }
}
