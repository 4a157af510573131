package org.freshet.handler.codec.proxyprotocol;

import static org.freshet.handler.codec.proxyprotocol.Blocks.proxied;
import static org.freshet.handler.codec.proxyprotocol.Blocks.tlv;
import static org.freshet.handler.codec.proxyprotocol.Blocks.tlvOfText;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ByteString;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.testing.Allocations;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyProtocolTlvsTest extends ProxiedConnection {
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
}
