package org.freshet.handler.codec.proxyprotocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.proxyprotocol.Blocks.tlvOfText;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.OriginalAddress;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.MemoryChannel;

/** A connection on which a trusted proxy sends a header, and what handlers see of it. */
abstract class ProxiedConnection {
    static final SocketAddress PROXY = new InetSocketAddress("10.0.0.1", 5000);
    static final SocketAddress STRANGER = new InetSocketAddress("192.0.2.1", 5000);
    static final SocketAddress CLIENT = new InetSocketAddress("203.0.113.7", 4711);
    static final SocketAddress SERVICE = new InetSocketAddress("198.51.100.1", 443);
    static final ProxyProtocolSettings TRUSTING = ProxyProtocolSettings.trusting("10.0.0.0/8");
    static final String LINE = "PROXY TCP4 203.0.113.7 198.51.100.1 4711 443\r\n";

    /** Sets every TLV that has a method. */
    static final ProxyProtocolSettings KEEPING = TRUSTING.withTlvs(
            ProxyProtocolTlv.ALPN, ProxyProtocolTlv.AUTHORITY, ProxyProtocolTlv.UNIQUE_ID, ProxyProtocolTlv.SSL, 0xe0);

    /** What a proxy says of the TLS connection of its client. */
    static final String TLS = "07" + "00000000" + tlvOfText(0x21, "TLSv1.3") + tlvOfText(0x22, "client.example")
            + tlvOfText(0x23, "TLS_AES_128_GCM_SHA256") + tlvOfText(0x24, "SHA256");

    /** Records the states that handlers are notified of. */
    @ChannelHandler.Sharable
    static final class States extends SimpleChannelUpstreamHandler {
        final List<String> seen = new CopyOnWriteArrayList<>(); // a timer's thread may add to it

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (e instanceof ChannelStateEvent state) {
                boolean isOn = state.getValue() != null && !Boolean.FALSE.equals(state.getValue());
                seen.add(state.getState() + (isOn ? "" : " over"));
            }
            ctx.sendUpstream(e);
        }
    }

    final States states = new States();

    MemoryChannel connect(ProxyProtocolSettings settings) {
        return MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(settings), states);
    }

    static ChannelBuffer bytes(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, ISO_8859_1);
    }

    MemoryChannel received(ProxyProtocolSettings settings, byte[] header) {
        MemoryChannel channel = connect(settings);
        channel.receive(ChannelBuffers.wrappedBuffer(header));
        return channel;
    }

    static void assertServed(MemoryChannel channel, SocketAddress client, SocketAddress destination) {
        assertTrue(channel.isOpen(), () -> String.valueOf(channel.getCloseReason()));
        assertEquals(client, OriginalAddress.of(channel));
        assertEquals(destination, OriginalAddress.destinationOf(channel));
        assertEquals(PROXY, channel.getRemoteAddress());
        assertNull(channel.getPipeline().get(ProxyProtocolDecoder.class));
        channel.receive(bytes("hello"));
        assertEquals(List.of(bytes("hello")), channel.takeReceived());
    }

    void assertRefused(MemoryChannel channel, Class<? extends Exception> failure) {
        assertFalse(channel.isOpen());
        assertEquals(Kind.PROTOCOL, channel.getCloseReason().kind());
        List<Throwable> caught = channel.takeCaught();
        assertEquals(1, caught.size(), caught::toString);
        assertInstanceOf(failure, caught.get(0));
        assertEquals(caught.get(0), channel.getCloseReason().cause());
        assertNothingBelieved(channel);
    }

    void assertNothingBelieved(MemoryChannel channel) {
        channel.receive(bytes(LINE + "hello"));
        assertEquals(List.of(), channel.takeReceived());
        assertFalse(OriginalAddress.isKnown(channel));
        assertNull(ProxyProtocolHeader.of(channel));
        assertEquals(List.of("OPEN", "BOUND", "BOUND over", "OPEN over"), states.seen);
    }
}
