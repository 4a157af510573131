package org.freshet.handler.codec.proxyprotocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.proxyprotocol.Blocks.block;
import static org.freshet.handler.codec.proxyprotocol.Blocks.proxied;
import static org.freshet.handler.codec.proxyprotocol.Blocks.tlv;
import static org.freshet.handler.codec.proxyprotocol.Blocks.tlvOfText;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Arrays;
import org.freshet.channel.OriginalAddress;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyProtocolVersionsTest extends ProxiedConnection {
    // ---- version 1 ----

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

    // ---- version 2 ----

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
}
