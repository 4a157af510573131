package org.freshet.handler.codec.proxyprotocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.proxyprotocol.Blocks.block;
import static org.freshet.handler.codec.proxyprotocol.Blocks.join;
import static org.freshet.handler.codec.proxyprotocol.Blocks.proxied;
import static org.freshet.handler.codec.proxyprotocol.Blocks.tlv;
import static org.freshet.handler.codec.proxyprotocol.Blocks.tlvOfText;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.buffer.ByteString;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.OriginalAddress;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.telemetry.Explain;
import org.freshet.testing.Allocations;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyProtocolDecoderTest {
    private static final SocketAddress PROXY = new InetSocketAddress("10.0.0.1", 5000);
    private static final SocketAddress STRANGER = new InetSocketAddress("192.0.2.1", 5000);
    private static final SocketAddress CLIENT = new InetSocketAddress("203.0.113.7", 4711);
    private static final SocketAddress SERVICE = new InetSocketAddress("198.51.100.1", 443);
    private static final ProxyProtocolSettings TRUSTING = ProxyProtocolSettings.trusting("10.0.0.0/8");
    private static final String LINE = "PROXY TCP4 203.0.113.7 198.51.100.1 4711 443\r\n";

    /** Sets every TLV that has a method. */
    private static final ProxyProtocolSettings KEEPING = TRUSTING.withTlvs(
            ProxyProtocolTlv.ALPN, ProxyProtocolTlv.AUTHORITY, ProxyProtocolTlv.UNIQUE_ID, ProxyProtocolTlv.SSL, 0xe0);

    /** Records the states that handlers are notified of. */
    @ChannelHandler.Sharable
    private static final class States extends SimpleChannelUpstreamHandler {
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

    private final States states = new States();

    private MemoryChannel connect(ProxyProtocolSettings settings) {
        return MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(settings), states);
    }

    private static ChannelBuffer bytes(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, ISO_8859_1);
    }

    private MemoryChannel received(ProxyProtocolSettings settings, byte[] header) {
        MemoryChannel channel = connect(settings);
        channel.receive(ChannelBuffers.wrappedBuffer(header));
        return channel;
    }

    private static void assertServed(MemoryChannel channel, SocketAddress client, SocketAddress destination) {
        assertTrue(channel.isOpen(), () -> String.valueOf(channel.getCloseReason()));
        assertEquals(client, OriginalAddress.of(channel));
        assertEquals(destination, OriginalAddress.destinationOf(channel));
        assertEquals(PROXY, channel.getRemoteAddress());
        assertNull(channel.getPipeline().get(ProxyProtocolDecoder.class));
        channel.receive(bytes("hello"));
        assertEquals(List.of(bytes("hello")), channel.takeReceived());
    }

    private void assertRefused(MemoryChannel channel, Class<? extends Exception> failure) {
        assertFalse(channel.isOpen());
        assertEquals(Kind.PROTOCOL, channel.getCloseReason().kind());
        List<Throwable> caught = channel.takeCaught();
        assertEquals(1, caught.size(), caught::toString);
        assertInstanceOf(failure, caught.get(0));
        assertEquals(caught.get(0), channel.getCloseReason().cause());
        assertNothingBelieved(channel);
    }

    private void assertNothingBelieved(MemoryChannel channel) {
        channel.receive(bytes(LINE + "hello"));
        assertEquals(List.of(), channel.takeReceived());
        assertFalse(OriginalAddress.isKnown(channel));
        assertNull(ProxyProtocolHeader.of(channel));
        assertEquals(List.of("OPEN", "BOUND", "BOUND over", "OPEN over"), states.seen);
    }

    // ---- which peers are trusted
    // -------------------------------------------------------------------------------------

    @Test
    void shouldRefuseAPeerOutsideTheTrustedNetworksBeforeItsFirstByte() {
        MemoryChannel channel = MemoryChannel.connected(STRANGER, new ProxyProtocolDecoder(TRUSTING), states);
        assertFalse(channel.isOpen());
        assertEquals(Kind.REFUSED, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeCaught());
        assertNothingBelieved(channel);
    }

    @Test
    void shouldTrustAPeerWithoutAnIpAddressOnlyIfConfigured() {
        SocketAddress nameless = UnixDomainSocketAddress.of("");
        MemoryChannel channel = MemoryChannel.connected(nameless, new ProxyProtocolDecoder(TRUSTING));
        assertEquals(Kind.REFUSED, channel.getCloseReason().kind());
        channel = MemoryChannel.connected(nameless, new ProxyProtocolDecoder(TRUSTING.withNonIpPeers()));
        channel.receive(bytes(LINE));
        assertEquals(CLIENT, OriginalAddress.of(channel));
        assertFalse(TRUSTING.withNonIpPeers().trusts(STRANGER));
        assertFalse(TRUSTING.withNonIpPeers().trusts(null));
    }

    // ---- when handlers are notified ---------------------------------------------------------------------------------

    @Test
    void shouldConnectTheHandlersOnceTheClientIsKnown() {
        List<SocketAddress> clients = new ArrayList<>();
        ChannelHandler application = new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                clients.add(OriginalAddress.of(ctx.getChannel()));
                ctx.getChannel().write("welcome");
            }
        };
        MemoryChannel channel = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(TRUSTING), states, application);
        assertEquals(List.of("OPEN", "BOUND"), states.seen);
        channel.receive(bytes(LINE + "hello"));
        assertEquals(List.of("OPEN", "BOUND", "CONNECTED"), states.seen);
        assertEquals(List.of(CLIENT), clients);
        assertEquals(List.of("welcome"), channel.takeWritten());
        assertEquals(List.of(bytes("hello")), channel.takeReceived());
        channel.close();
        assertEquals(6, states.seen.size(), states.seen::toString);
    }

    @Test
    void shouldWorkInAnAlreadyConnectedChannel() {
        MemoryChannel channel = MemoryChannel.connected(PROXY, states);
        channel.getPipeline().addFirst("proxy", new ProxyProtocolDecoder(TRUSTING));
        channel.receive(bytes(LINE));
        assertServed(channel, CLIENT, SERVICE);
        channel = MemoryChannel.connected(STRANGER);
        channel.getPipeline().addFirst("proxy", new ProxyProtocolDecoder(TRUSTING));
        assertEquals(Kind.REFUSED, channel.getCloseReason().kind());
    }

    @Test
    void shouldPassNothingToHandlersThatCloseTheChannel() {
        ChannelHandler closing = new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ctx.getChannel().close();
            }
        };
        MemoryChannel channel = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(TRUSTING), states, closing);
        channel.receive(bytes(LINE + "hello"));
        assertEquals(List.of(), channel.takeReceived());
        assertEquals(List.of("OPEN", "BOUND", "CONNECTED", "CONNECTED over", "BOUND over", "OPEN over"), states.seen);
    }

    @Test
    void shouldHideAConnectionThatEndsBeforeItsHeader() {
        MemoryChannel channel = connect(TRUSTING);
        channel.receive(bytes("PROXY TCP4"));
        channel.close();
        assertEquals(List.of("OPEN", "BOUND", "BOUND over", "OPEN over"), states.seen);
        assertEquals(List.of(), channel.takeCaught());
        channel = connect(TRUSTING);
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
        assertEquals(Kind.PROTOCOL, channel.getCloseReason().kind());
        channel = connect(TRUSTING);
        channel.receive(bytes(LINE));
        channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldExplainThatItIsWaiting() throws Exception {
        MemoryChannel channel = connect(TRUSTING);
        channel.receive(bytes("PROXY"));
        String text = Explain.channel(channel).get();
        assertTrue(text.contains("unread bytes: 5\n"), text);
        assertTrue(text.contains("PROXY protocol header: WAITING\n"), text);
    }

    // ---- version 1 --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({
        "TCP4 203.0.113.7 198.51.100.1 4711 443, /203.0.113.7:4711, /198.51.100.1:443",
        "TCP4 255.255.255.255 0.0.0.0 65535 0, /255.255.255.255:65535, /0.0.0.0:0",
        "TCP6 2001:db8::7 2001:DB8::1 4711 443, /[2001:db8:0:0:0:0:0:7]:4711, /[2001:db8:0:0:0:0:0:1]:443",
        "TCP6 ::ffff:203.0.113.7 ::1 4711 443, /203.0.113.7:4711, /[0:0:0:0:0:0:0:1]:443",
        "TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535,"
                + "/[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535, /[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535",
    })
    void shouldReadALine(String line, String client, String destination) {
        MemoryChannel channel = connect(TRUSTING);
        channel.receive(bytes("PROXY " + line + "\r\n"));
        assertEquals(client, OriginalAddress.of(channel).toString());
        assertEquals(destination, OriginalAddress.destinationOf(channel).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"UNKNOWN", "UNKNOWN ", "UNKNOWN TCP4 203.0.113.7\n\0 x", "UNKNOWN ffff::1 ffff::2 65535 65535"})
    void shouldIgnoreEverythingAfterUnknown(String line) {
        MemoryChannel channel = connect(TRUSTING);
        channel.receive(bytes("PROXY " + line + "\r\n"));
        assertFalse(OriginalAddress.isKnown(channel));
        assertServed(channel, PROXY, channel.getLocalAddress());
        assertFalse(ProxyProtocolHeader.of(channel).isLocal());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n",
                "proxy TCP4 203.0.113.7 198.51.100.1 4711 443\r\n",
                "PROXY\tTCP4 203.0.113.7 198.51.100.1 4711 443\r\n",
                "PROXY \r\n",
                "PROXY tcp4 203.0.113.7 198.51.100.1 4711 443\r\n",
                "PROXY TCP5 203.0.113.7 198.51.100.1 4711 443\r\n",
                "PROXY UNKNOWNS\r\n",
                "PROXY TCP4  203.0.113.7 198.51.100.1 4711 443\r\n",
                "PROXY TCP4 203.0.113.7 198.51.100.1 4711\r\n",
                "PROXY TCP4 203.0.113.7 198.51.100.1 4711 443 \r\n",
                "PROXY TCP4 203.0.113.7 198.51.100.1 4711 443 1\r\n",
                "PROXY TCP4 203.0.113.7 198.51.100.1 4711 443\nx\r\n",
                "PROXY TCP4 203.0.113.7 198.51.100.1 4711 443\rx\r\n",
                "PROXY TCP4 203.0.113.07 198.51.100.1 4711 443\r\n",
                "PROXY TCP4 203.0.113.256 198.51.100.1 4711 443\r\n",
                "PROXY TCP4 203.0.113 198.51.100.1 4711 443\r\n",
                "PROXY TCP4 localhost 198.51.100.1 4711 443\r\n",
                "PROXY TCP4 ::1 ::2 4711 443\r\n",
                "PROXY TCP4 ::ffff:1.2.3.4 198.51.100.1 4711 443\r\n",
                "PROXY TCP6 203.0.113.7 198.51.100.1 4711 443\r\n",
                "PROXY TCP6 [::1] [::2] 4711 443\r\n",
                "PROXY TCP6 fe80::1%eth0 ::2 4711 443\r\n",
                "PROXY TCP6 1:2:3:4:5:6:7:8:9 ::2 4711 443\r\n",
                "PROXY TCP4 203.0.113.7 198.51.100.1 65536 443\r\n",
                "PROXY TCP4 203.0.113.7 198.51.100.1 04711 443\r\n",
                "PROXY TCP4 203.0.113.7 198.51.100.1 -1 443\r\n",
                "PROXY TCP4 203.0.113.7 198.51.100.1 +1 443\r\n",
                "PROXY TCP4 203.0.113.7 198.51.100.1 \u00b2 443\r\n",
            })
    void shouldRefuseALine(String line) {
        assertRefused(received(TRUSTING, line.getBytes(ISO_8859_1)), CorruptedFrameException.class);
    }

    @Test
    void shouldRefuseALineOfMoreThan107Bytes() {
        String longest = "PROXY UNKNOWN " + "x".repeat(107 - 16);
        MemoryChannel channel = received(TRUSTING, (longest + "\r\n").getBytes(ISO_8859_1));
        assertServed(channel, PROXY, channel.getLocalAddress());
        states.seen.clear();
        assertRefused(received(TRUSTING, (longest + "x\r").getBytes(ISO_8859_1)), TooLongFrameException.class);
    }

    /** A scanner learns nothing by waiting, and costs nothing. */
    @Test
    void shouldRefuseByTheFirstWrongByte() {
        assertRefused(received(TRUSTING, new byte[] {'G'}), CorruptedFrameException.class);
        states.seen.clear();
        assertRefused(received(TRUSTING, new byte[] {'P', 'O'}), CorruptedFrameException.class);
        states.seen.clear();
        assertRefused(received(TRUSTING, new byte[] {'\r', '\r'}), CorruptedFrameException.class);
    }

    // ---- version 2 --------------------------------------------------------------------------------------------------

    @Test
    void shouldReadIpAddressesOfStreamsAndDatagrams() {
        for (int transport = 1; transport <= 2; transport++) {
            assertServed(received(TRUSTING, block(0x21, 0x10 | transport, Blocks.INET)), CLIENT, SERVICE);
            assertServed(
                    received(TRUSTING, block(0x21, 0x20 | transport, Blocks.INET6)),
                    new InetSocketAddress("2001:db8::7", 4711),
                    new InetSocketAddress("2001:db8::1", 443));
        }
    }

    @Test
    void shouldReadPaths() {
        String paths = Blocks.path("/run/client") + Blocks.path("/run/service");
        assertServed(
                received(TRUSTING, block(0x21, 0x31, paths)),
                UnixDomainSocketAddress.of("/run/client"),
                UnixDomainSocketAddress.of("/run/service"));
        String longest = "/" + "p".repeat(107);
        assertServed(
                received(TRUSTING, block(0x21, 0x32, Blocks.path("") + Blocks.path(longest))),
                UnixDomainSocketAddress.of(""),
                UnixDomainSocketAddress.of(longest));
    }

    /** The path may end up in logs. */
    @Test
    void shouldRefuseAPathThatWouldEndALine() {
        String paths = Blocks.path("/run/a\r\nb") + Blocks.path("");
        assertRefused(received(TRUSTING, block(0x21, 0x31, paths)), CorruptedFrameException.class);
    }

    @Test
    void shouldTreatAConnectionOfTheProxyItselfAsSuch() {
        String[] bodies = {"", Blocks.INET, "ff".repeat(100), tlv(3, "00000000")};
        for (String body : bodies) {
            for (int family : new int[] {0x00, 0x11, 0x31, 0xff}) { // this one is ignored
                MemoryChannel channel = received(KEEPING, block(0x20, family, body));
                assertServed(channel, PROXY, channel.getLocalAddress());
                assertEquals(ProxyProtocolHeader.local(), ProxyProtocolHeader.of(channel));
            }
        }
    }

    @Test
    void shouldServeAClientUnknownToTheProxy() {
        MemoryChannel channel = received(KEEPING, block(0x21, 0x00, tlvOfText(ProxyProtocolTlv.ALPN, "h2")));
        assertServed(channel, PROXY, channel.getLocalAddress());
        assertFalse(ProxyProtocolHeader.of(channel).isLocal());
        assertEquals("h2", ProxyProtocolHeader.of(channel).alpn());
    }

    @ParameterizedTest
    @CsvSource({
        "11, 11", "01, 11", "31, 11", "22, 11", "2f, 11", // version and command
        "21, 01", "21, 02", "21, 10", "21, 13", "21, 20", "21, 30", "21, 33", "21, 41", "21, f1", "21, 1f",
    })
    void shouldRefuseAnUnknownVersionCommandOrFamily(String command, String family) {
        byte[] header = block(Integer.parseInt(command, 16), Integer.parseInt(family, 16), Blocks.INET.repeat(18));
        assertRefused(received(TRUSTING, header), CorruptedFrameException.class);
    }

    @ParameterizedTest
    @CsvSource({"11, 12", "12, 12", "21, 36", "22, 36", "31, 216", "32, 216"})
    void shouldRefuseAHeaderThatIsTooShortForItsAddresses(String family, int bytes) {
        int code = Integer.parseInt(family, 16);
        assertTrue(received(TRUSTING, block(0x21, code, "61".repeat(bytes))).isOpen());
        for (int less : new int[] {0, 1, bytes - 1}) {
            states.seen.clear();
            assertRefused(received(TRUSTING, block(0x21, code, "61".repeat(less))), CorruptedFrameException.class);
        }
    }

    @Test
    void shouldRefuseALongHeaderByItsLengthAlone() {
        byte[] longest = proxied(tlv(0xe0, "00".repeat(536 - 31)));
        assertEquals(536, longest.length);
        assertServed(received(TRUSTING, longest), CLIENT, SERVICE);
        states.seen.clear();
        byte[] longer = proxied(tlv(0xe0, "00".repeat(537 - 31)));
        assertRefused(received(TRUSTING, Arrays.copyOf(longer, 16)), TooLongFrameException.class);
        states.seen.clear();
        assertServed(received(TRUSTING.withMaxBytes(537), longer), CLIENT, SERVICE);
        byte[] greatest = proxied(tlv(0xe0, "00".repeat(0xffff - 15)));
        assertServed(received(TRUSTING.withMaxBytes(65_551), greatest), CLIENT, SERVICE);
    }

    // ---- TLVs -------------------------------------------------------------------------------------------------------

    private static final String TLS = "07" + "00000000" + tlvOfText(0x21, "TLSv1.3") + tlvOfText(0x22, "client.example")
            + tlvOfText(0x23, "TLS_AES_128_GCM_SHA256") + tlvOfText(0x24, "SHA256");

    @Test
    void shouldKeepTheConfiguredTlvs() {
        byte[] header = proxied(tlvOfText(ProxyProtocolTlv.ALPN, "h2")
                + tlvOfText(ProxyProtocolTlv.AUTHORITY, "a.example")
                + tlv(ProxyProtocolTlv.NOOP, "0000")
                + tlv(ProxyProtocolTlv.UNIQUE_ID, "00ff")
                + tlv(ProxyProtocolTlv.SSL, TLS)
                + tlv(0xe0, "")
                + tlv(0xe1, "01"));
        MemoryChannel channel = received(KEEPING, header);
        assertServed(channel, CLIENT, SERVICE);
        ProxyProtocolHeader told = ProxyProtocolHeader.of(channel);
        assertEquals("h2", told.alpn());
        assertEquals("a.example", told.authority());
        assertEquals(ByteString.of((byte) 0, (byte) 0xff), told.uniqueId());
        assertEquals(ByteString.EMPTY, told.tlvs().get(0xe0));
        assertEquals(5, told.tlvs().size(), told::toString);
        assertEquals(
                new ProxyProtocolTls(true, true, true, "TLSv1.3", "client.example", "TLS_AES_128_GCM_SHA256"),
                told.tls());
        told = ProxyProtocolHeader.of(received(TRUSTING, header));
        assertEquals(ProxyProtocolHeader.proxied(CLIENT, SERVICE), told);
        assertNull(told.alpn());
        assertNull(told.authority());
        assertNull(told.uniqueId());
        assertNull(told.tls());
    }

    @Test
    void shouldReportWhetherTheClientsCertificateWasVerified() throws Exception {
        String[] values = {"0000000000", "0100000000", "0300000000", "0300000001", "0501000000"};
        List<String> tls = new ArrayList<>();
        for (String value : values) {
            ProxyProtocolTls parsed = ProxyProtocolTls.parse(ByteString.of(Blocks.hex(value)));
            tls.add(parsed.isTls() + " " + parsed.hasCertificate() + " " + parsed.isVerified());
        }
        assertEquals(
                List.of(
                        "false false false",
                        "true false false",
                        "true true true",
                        "true true false",
                        "true true false"),
                tls);
    }

    /** Only one level is read, however deeply TLVs are nested (CVE-2022-41881). */
    @Test
    void shouldNotDescendIntoNestedTlvs() {
        String nested = "";
        while (nested.length() < 65_000) {
            nested = "01" + "00000000" + tlv(ProxyProtocolTlv.SSL, nested);
        }
        byte[] header = proxied(tlv(ProxyProtocolTlv.SSL, nested));
        MemoryChannel channel = received(KEEPING.withMaxBytes(65_551), header);
        assertServed(channel, CLIENT, SERVICE);
        assertEquals(
                new ProxyProtocolTls(true, false, false, null, null, null),
                ProxyProtocolHeader.of(channel).tls());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01",
                "0100",
                "010001",
                "01000261",
                "010000" + "02",
                "01ffff", // beyond the end
                "0100016101000161",
                "e00000e00000", // twice
                "200000",
                "20000401000000", // TLS without its flags
                "2000080100000000" + "210001",
                "2000060100000000" + "21", // with a part beyond its end
                "03000400000000",
                "030003000000",
                "03000500000000" + "00",
                "030000", // an invalid checksum
            })
    void shouldRefuseATlv(String tlvs) {
        assertRefused(received(KEEPING, proxied(tlvs)), CorruptedFrameException.class);
    }

    @Test
    void shouldVerifyAChecksum() {
        ProxyProtocolHeader sent = ProxyProtocolHeader.proxied(CLIENT, SERVICE)
                .withTlv(ProxyProtocolTlv.AUTHORITY, ByteString.ascii("a.example"));
        byte[] header = HeaderWriter.block(sent, true);
        assertServed(received(KEEPING, header), CLIENT, SERVICE);
        assertEquals(sent, ProxyProtocolHeader.of(received(KEEPING, header)));
        int typeOfChecksum = header.length - 7; // when damaged, it is another TLV
        for (int at = 16; at < header.length; at += at + 1 == typeOfChecksum ? 2 : 1) {
            byte[] damaged = header.clone();
            damaged[at] ^= 0x01;
            assertFalse(received(TRUSTING, damaged).isOpen(), "damaged at " + at);
        }
        states.seen.clear();
        String twice = Blocks.hex(header).substring(32 + Blocks.INET.length());
        assertRefused(
                received(TRUSTING, proxied(twice + twice.substring(twice.length() - 14))),
                CorruptedFrameException.class);
    }

    /** Computed bit by bit, as described in RFC 3720. */
    @Test
    void shouldVerifyTheStandardsChecksum() {
        byte[] header = proxied(tlv(ProxyProtocolTlv.CRC32C, "00000000"));
        int crc = ~0;
        for (byte b : header) {
            crc ^= b & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? crc >>> 1 ^ 0x82f63b78 : crc >>> 1;
            }
        }
        assertServed(
                received(TRUSTING, proxied(tlv(ProxyProtocolTlv.CRC32C, String.format("%08x", ~crc)))),
                CLIENT,
                SERVICE);
    }

    @Test
    void shouldAllocateNothingForTlvsThatAreIgnored() throws Exception {
        ChannelBuffer plain = ChannelBuffers.wrappedBuffer(proxied(""));
        ChannelBuffer full =
                ChannelBuffers.wrappedBuffer(proxied(tlv(0xe1, "").repeat(100) + tlv(0x20, "00".repeat(200))));
        long expected = Math.max(allocated(plain), allocated(plain));
        long actual = Math.min(allocated(full), allocated(full));
        assertTrue(actual <= expected + 16 * 1024, () -> actual + " bytes instead of " + expected);
    }

    private static long allocated(ChannelBuffer header) {
        return Allocations.bytesOf(() -> {
            for (int i = 0; i < 20_000; i++) {
                header.readerIndex(0);
                try {
                    assertNotNull(HeaderReader.read(header, header.readableBytes(), TRUSTING));
                } catch (CorruptedFrameException e) {
                    throw new AssertionError(e);
                }
            }
        });
    }

    // ---- time -------------------------------------------------------------------------------------------------------

    @Test
    void shouldCloseIfTheHeaderIsNotThereInTime() {
        FakeTimer timer = new FakeTimer();
        MemoryChannel channel = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(TRUSTING, timer), states);
        for (char c : LINE.substring(0, 5).toCharArray()) {
            channel.receive(bytes("" + c));
            timer.advanceMillis(999);
        }
        assertTrue(channel.isOpen());
        timer.advanceMillis(5);
        assertEquals(Kind.TIMED_OUT, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeCaught());
        assertNothingBelieved(channel);
    }

    @Test
    void shouldStopTheTimeOutWhenTheHeaderArrivesOrTheChannelCloses() {
        FakeTimer timer = new FakeTimer();
        ProxyProtocolSettings settings = TRUSTING.withTimeout(Duration.ofMillis(10));
        MemoryChannel channel = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(settings, timer));
        channel.receive(bytes(LINE));
        MemoryChannel other = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(settings, timer));
        other.close();
        timer.advanceMillis(60_000);
        assertServed(channel, CLIENT, SERVICE);
        assertEquals(Kind.LOCAL, other.getCloseReason().kind());
    }

    @Test
    void shouldLimitTheTimeAlthoughTheTimerIsStopped() {
        FakeTimer timer = new FakeTimer();
        timer.stop();
        ProxyProtocolSettings settings = TRUSTING.withTimeout(Duration.ofMillis(1));
        MemoryChannel channel = MemoryChannel.connected(PROXY, new ProxyProtocolDecoder(settings, timer), states);
        Await.success(channel.getCloseFuture(), "the close");
        Await.until(() -> states.seen.contains("OPEN over"), "its last event, which another thread fires after that");
        assertEquals(Kind.TIMED_OUT, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeCaught());
        assertNothingBelieved(channel);
    }

    // ---- cuts and damage --------------------------------------------------------------------------------------------

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

    // ---- settings ---------------------------------------------------------------------------------------------------

    @Test
    void shouldRefuseInvalidSettings() {
        assertThrows(IllegalArgumentException.class, () -> ProxyProtocolSettings.trusting());
        assertThrows(IllegalArgumentException.class, () -> ProxyProtocolSettings.trusting("10.0.0.1"));
        assertThrows(IllegalArgumentException.class, () -> TRUSTING.withTimeout(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> TRUSTING.withMaxBytes(106));
        assertThrows(IllegalArgumentException.class, () -> TRUSTING.withMaxBytes(65_552));
        assertThrows(IllegalArgumentException.class, () -> TRUSTING.withTlvs(ProxyProtocolTlv.CRC32C));
        assertThrows(IllegalArgumentException.class, () -> TRUSTING.withTlvs(256));
        assertEquals(536, TRUSTING.maxBytes());
        assertEquals(Duration.ofSeconds(5), TRUSTING.timeout());
    }
}
