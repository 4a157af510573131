package org.freshet.handler.codec.proxyprotocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.proxyprotocol.Blocks.block;
import static org.freshet.handler.codec.proxyprotocol.Blocks.join;
import static org.freshet.handler.codec.proxyprotocol.Blocks.proxied;
import static org.freshet.handler.codec.proxyprotocol.Blocks.tlv;
import static org.freshet.handler.codec.proxyprotocol.Blocks.tlvOfText;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.OriginalAddress;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Headers that arrive in pieces or damaged. */
class ProxyProtocolSplitsTest extends ProxiedConnection {
    /** Sends up, as a message, what is known when the handlers are connected. */
    private static final class Told implements ChannelUpstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            ctx.sendUpstream(e);
            if (e instanceof ChannelStateEvent state && state.getValue() instanceof SocketAddress) {
                String ends =
                        OriginalAddress.of(ctx.getChannel()) + " => " + OriginalAddress.destinationOf(ctx.getChannel());
                Channels.fireMessageReceived(ctx, state.getState() + ": " + ends);
                Channels.fireMessageReceived(ctx, String.valueOf(ProxyProtocolHeader.of(ctx.getChannel())));
            }
        }
    }

    private static DecoderSplitChecker cuts() {
        ProxyProtocolSettings settings = KEEPING.withNonIpPeers();
        return DecoderSplitChecker.ofPipeline(
                        () -> new ChannelUpstreamHandler[] {new ProxyProtocolDecoder(settings), new Told()})
                .joiningBuffers();
    }

    @Test
    void shouldReadTheSameHoweverItIsSplit() {
        cuts().check(join(LINE.getBytes(ISO_8859_1), "\r\nhello"));
        cuts().check(join("PROXY UNKNOWN what\r\n".getBytes(ISO_8859_1), "PROXY "));
        cuts().check(join(proxied(tlvOfText(ProxyProtocolTlv.ALPN, "h2") + tlv(0xff, "0102")), "hello"));
        cuts().check(join(block(0x20, 0, "0102"), "hello"));
        cuts().check(join(
                HeaderWriter.block(ProxyProtocolHeader.proxied(CLIENT, SERVICE), true), LINE.substring(0, 20)));
    }

    @Test
    void shouldRefuseTheSameHoweverItIsSplit() {
        cuts().check("PROXY TCP4 203.0.113.7 198.51.100.1 4711 99443\r\nhello".getBytes(ISO_8859_1));
        cuts().check(("PROXY TCP4 " + "1".repeat(100)).getBytes(ISO_8859_1));
        cuts().check("GET / HTTP/1.1\r\n\r\n".getBytes(ISO_8859_1));
        cuts().check(join(block(0x31, 0x11, Blocks.INET), "hello"));
        cuts().check(join(proxied("0100"), "hello"));
        cuts().check(Arrays.copyOf(block(0x21, 0x11, "00".repeat(600)), 40));
    }

    @Test
    void shouldEitherReadOrRefuseAnyInput() {
        Random random = Seeds.random();
        List<byte[]> good = List.of(
                LINE.getBytes(ISO_8859_1),
                proxied(tlvOfText(1, "h2") + tlv(0x20, TLS)),
                HeaderWriter.block(ProxyProtocolHeader.proxied(CLIENT, SERVICE), true),
                block(0x21, 0x31, Blocks.path("/a") + Blocks.path("/b")),
                block(0x20, 0, ""));
        for (int round = 0; round < Seeds.rounds(5_000); round++) {
            byte[] input = join(good.get(random.nextInt(good.size())), "hello");
            for (int damage = random.nextInt(4); damage > 0; damage--) {
                input[random.nextInt(input.length)] = (byte) random.nextInt(256);
            }
            String whole = outcome(input, input.length);
            assertEquals(whole, outcome(input, 1 + random.nextInt(input.length)), () -> Blocks.hex(input));
        }
    }

    /** The outcome for input in pieces. */
    private static String outcome(byte[] input, int pieceBytes) {
        MemoryChannel channel = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(KEEPING));
        for (int at = 0; at < input.length; at += pieceBytes) {
            channel.receive(ChannelBuffers.copiedBuffer(input, at, Math.min(pieceBytes, input.length - at)));
        }
        ChannelBuffer rest = ChannelBuffers.dynamicBuffer();
        channel.takeReceived().forEach(message -> rest.writeBytes((ChannelBuffer) message));
        List<Throwable> caught = channel.takeCaught();
        for (Throwable failure : caught) {
            assertTrue(
                    failure instanceof CorruptedFrameException || failure instanceof TooLongFrameException,
                    failure::toString);
        }
        boolean isWaiting = channel.getPipeline().get(ProxyProtocolDecoder.class) != null && channel.isOpen();
        assertEquals(caught.isEmpty(), channel.isOpen());
        assertTrue(channel.isOpen() && !isWaiting || rest.readableBytes() == 0);
        return channel.isOpen() + " " + isWaiting + " " + caught + " " + ProxyProtocolHeader.of(channel) + " "
                + rest.toString(ISO_8859_1);
    }
}
