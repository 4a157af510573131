package org.freshet.handler.codec.proxyprotocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.NotYetConnectedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.freshet.buffer.ByteString;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OriginalAddress;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyProtocolEncoderTest {
    private static final InetSocketAddress CLIENT = new InetSocketAddress("203.0.113.7", 4711);
    private static final InetSocketAddress SERVICE = new InetSocketAddress("198.51.100.1", 443);
    private static final InetSocketAddress CLIENT6 = new InetSocketAddress("2001:db8::7", 4711);
    private static final InetSocketAddress SERVICE6 = new InetSocketAddress("2001:db8::1", 443);
    private static final ProxyProtocolHeader HEADER = ProxyProtocolHeader.proxied(CLIENT, SERVICE);

    private static byte[] sent(ProxyProtocolVersion version, ProxyProtocolHeader header) {
        MemoryChannel channel = MemoryChannel.connected(new ProxyProtocolEncoder(version, header));
        return ByteString.copyOf((ChannelBuffer) channel.takeWritten().get(0)).toByteArray();
    }

    private static String line(ProxyProtocolHeader header) {
        return new String(sent(ProxyProtocolVersion.V1, header), US_ASCII);
    }

    private static String block(ProxyProtocolHeader header) {
        return Blocks.hex(sent(ProxyProtocolVersion.V2, header));
    }

    private static String block(int command, int family, String body) {
        return Blocks.hex(Blocks.block(command, family, body));
    }

    @Test
    void shouldWriteALine() {
        assertEquals("PROXY TCP4 203.0.113.7 198.51.100.1 4711 443\r\n", line(HEADER));
        assertEquals(
                "PROXY TCP6 2001:db8::7 2001:db8::1 4711 443\r\n",
                line(ProxyProtocolHeader.proxied(CLIENT6, SERVICE6)));
        assertEquals(
                "PROXY TCP6 2001:db8::7 ::ffff:198.51.100.1 4711 443\r\n",
                line(ProxyProtocolHeader.proxied(CLIENT6, SERVICE)));
        assertEquals("PROXY UNKNOWN\r\n", line(ProxyProtocolHeader.local()));
        assertEquals("PROXY UNKNOWN\r\n", line(ProxyProtocolHeader.proxied(null, null)));
        SocketAddress unnamed = UnixDomainSocketAddress.of("");
        assertEquals("PROXY UNKNOWN\r\n", line(ProxyProtocolHeader.proxied(unnamed, unnamed)));
    }

    @Test
    void shouldWriteABlock() {
        assertEquals(block(0x21, 0x11, Blocks.INET), block(HEADER));
        assertEquals(block(0x21, 0x21, Blocks.INET6), block(ProxyProtocolHeader.proxied(CLIENT6, SERVICE6)));
        String mapped = "00000000000000000000ffffcb007107" + Blocks.INET6.substring(32);
        assertEquals(block(0x21, 0x21, mapped), block(ProxyProtocolHeader.proxied(CLIENT, SERVICE6)));
        assertEquals(block(0x20, 0, ""), block(ProxyProtocolHeader.local()));
        assertEquals(block(0x21, 0, ""), block(ProxyProtocolHeader.proxied(null, null)));
        assertEquals(
                block(0x21, 0x31, Blocks.path("/a") + Blocks.path("")),
                block(ProxyProtocolHeader.proxied(UnixDomainSocketAddress.of("/a"), UnixDomainSocketAddress.of(""))));
        assertEquals(
                block(0x21, 0x11, Blocks.INET + "0100026832" + "e00000"),
                block(HEADER.withTlv(0xe0, ByteString.EMPTY).withTlv(ProxyProtocolTlv.ALPN, ByteString.ascii("h2"))));
    }

    @ParameterizedTest
    @CsvSource({"true, true, true", "true, true, false", "true, false, false", "false, false, false"})
    void shouldWriteHeadersThatTheDecoderReads(boolean isTls, boolean hasCertificate, boolean isVerified)
            throws Exception {
        ProxyProtocolTls tls =
                new ProxyProtocolTls(isTls, hasCertificate, isVerified, "TLSv1.3", "client.example", null);
        assertEquals(tls, ProxyProtocolTls.parse(tls.toByteString()));
        ProxyProtocolHeader header = HEADER.withTlv(ProxyProtocolTlv.SSL, tls.toByteString());
        ChannelBuffer bytes = ChannelBuffers.wrappedBuffer(sent(ProxyProtocolVersion.V2, header));
        ProxyProtocolSettings settings =
                ProxyProtocolSettings.trusting("10.0.0.0/8").withTlvs(ProxyProtocolTlv.SSL);
        assertEquals(header, HeaderReader.read(bytes, HeaderReader.lengthOf(bytes, 536), settings));
        assertEquals(tls, header.tls());
        assertFalse(bytes.readable());
    }

    @Test
    void shouldSendTheHeaderOnceAndFirst() {
        MemoryChannel channel = MemoryChannel.open(new ProxyProtocolEncoder(ProxyProtocolVersion.V1, HEADER));
        ChannelFuture early = channel.write("early");
        assertInstanceOf(NotYetConnectedException.class, early.getCause());
        channel.connect(SERVICE);
        channel.write("hello");
        channel.write("again");
        List<Object> written = channel.takeWritten();
        assertEquals(3, written.size(), written::toString);
        assertEquals(List.of("hello", "again"), written.subList(1, 3));
    }

    /** The server would mistake the bytes that follow for the header, and a client could choose its address. */
    @Test
    void shouldSendNothingElseIfTheHeaderFails() {
        SimpleChannelDownstreamHandler failing = new SimpleChannelDownstreamHandler() {
            private boolean hasFailed;

            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                if (!hasFailed) {
                    hasFailed = true;
                    throw new IllegalStateException("planted");
                }
                ctx.sendDownstream(e);
            }
        };
        MemoryChannel channel = MemoryChannel.open(failing, new ProxyProtocolEncoder(ProxyProtocolVersion.V1, HEADER));
        channel.connect(SERVICE);
        ChannelFuture relayed = channel.write("PROXY TCP4 10.9.9.9 10.0.0.1 1 2\r\n");
        assertFalse(relayed.isSuccess());
        assertEquals(List.of(), channel.takeWritten());
        assertFalse(channel.isOpen());
        assertEquals(1, channel.takeCaught().size());
    }

    @Test
    void shouldPassOnWhatIsKnownAboutAClient() {
        MemoryChannel inbound = MemoryChannel.connected(CLIENT);
        assertEquals(
                ProxyProtocolHeader.proxied(CLIENT, inbound.getLocalAddress()),
                ProxyProtocolHeader.forwarding(inbound));
        OriginalAddress.set(inbound, CLIENT6, SERVICE6);
        assertEquals(ProxyProtocolHeader.proxied(CLIENT6, SERVICE6), ProxyProtocolHeader.forwarding(inbound));
        assertEquals(ProxyProtocolHeader.proxied(null, null), ProxyProtocolHeader.forwarding(MemoryChannel.open()));
        OriginalAddress.set(inbound, UnixDomainSocketAddress.of("/a"), SERVICE6);
        assertEquals(ProxyProtocolHeader.proxied(null, null), ProxyProtocolHeader.forwarding(inbound));
    }

    /** CVE-2026-59919: a name could end the line. */
    @Test
    void shouldRefuseWhatIsNoAddress() {
        InetSocketAddress name = InetSocketAddress.createUnresolved("a\r\nGET / HTTP/1.1", 1);
        assertThrows(IllegalArgumentException.class, () -> ProxyProtocolHeader.proxied(name, SERVICE));
        assertThrows(IllegalArgumentException.class, () -> ProxyProtocolHeader.proxied(CLIENT, null));
        assertThrows(
                IllegalArgumentException.class,
                () -> ProxyProtocolHeader.proxied(CLIENT, UnixDomainSocketAddress.of("/a")));
        assertThrows(IllegalArgumentException.class, () -> new ProxyProtocolHeader(true, CLIENT, SERVICE, Map.of()));
    }

    @Test
    void shouldRefuseTooLongContent() {
        ProxyProtocolHeader longPath = ProxyProtocolHeader.proxied(
                UnixDomainSocketAddress.of("/" + "a".repeat(108)), UnixDomainSocketAddress.of(""));
        assertThrows(IllegalArgumentException.class, () -> sent(ProxyProtocolVersion.V2, longPath));
        ByteString half = ByteString.of(new byte[40_000]);
        ProxyProtocolHeader longTlvs = HEADER.withTlv(0xe0, half).withTlv(0xe1, half);
        assertThrows(IllegalArgumentException.class, () -> sent(ProxyProtocolVersion.V2, longTlvs));
        ByteString whole = ByteString.of(new byte[70_000]);
        ProxyProtocolHeader longTlv = HEADER.withTlv(0xe0, whole);
        assertThrows(IllegalArgumentException.class, () -> sent(ProxyProtocolVersion.V2, longTlv));
        for (int type : new int[] {-1, 256, ProxyProtocolTlv.CRC32C, ProxyProtocolTlv.NOOP}) {
            assertThrows(IllegalArgumentException.class, () -> HEADER.withTlv(type, ByteString.EMPTY));
        }
    }

    @Test
    void shouldCloseTheFileOfARegionWrittenTooEarly(@TempDir Path folder) throws IOException {
        MemoryChannel channel = MemoryChannel.open(new ProxyProtocolEncoder(ProxyProtocolVersion.V1, HEADER));
        try (FileChannel file = FileChannel.open(Files.writeString(folder.resolve("file"), "content"))) {
            ChannelFuture early = channel.write(new DefaultFileRegion(file, 0, 7, true));
            assertInstanceOf(NotYetConnectedException.class, early.getCause());
            assertFalse(file.isOpen());
        }
        channel.close();
    }
}
