package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("crypto")
class TlsRecordsTest {
    @Test
    void shouldReturnTheLengthOfARecord() throws Exception {
        for (int type = 20; type <= 24; type++) {
            assertEquals(5 + 0x123, length(String.format("%02x03010123", type)));
        }
        assertEquals(6, length("1603000001"));
        assertEquals(5, length("1703030000"));
        assertEquals(5 + 18 * 1024, length("1703034800"));
        assertEquals(2 + 0x2e, length("802e010301"));
        assertEquals(2 + 0x12e, length("812e010002"), "an SSL 2.0 record");
        assertEquals(5, length("8001010300"), "never less than the header");
    }

    @Test
    void shouldWaitForAHeader() throws Exception {
        for (String start : new String[] {"16", "1603", "160303", "16030300", "80", "47455420"}) {
            assertEquals(TlsRecords.INCOMPLETE, length(start));
        }
    }

    @Test
    void shouldRefuseInputThatIsNotARecord() {
        for (String other : new String[] {
            "4745542020",
            "1303030001",
            "1903030001",
            "1602030001",
            "1604030001",
            "1703034801",
            "802e020301",
            "802e010401",
            "802e010201",
            "002e010301"
        }) {
            NotSslRecordException refusal = assertThrows(NotSslRecordException.class, () -> length(other));
            assertTrue(refusal.getMessage().contains(other), refusal::getMessage);
        }
    }

    @Test
    void shouldShowPlainTextAndRecognizeHttp() {
        assertRefusal(
                "not a TLS record: 474554202f20485454502f312e310d0a (\"GET / HT...\"): plain HTTP on a TLS port?",
                "GET / HTTP/1.1\r\nHost: here\r\n");
        assertRefusal("(\"OPTIONS ...\"): plain HTTP on a TLS port?", "OPTIONS * HTTP/1.1\r\n");
        assertRefusal("(\"PRI * HT...\"): plain HTTP on a TLS port?", "PRI * HTTP/2.0\r\n");
        assertRefusal("(\"HTTP/1.1...\"): plain HTTP on a TLS port?", "HTTP/1.1 400 Bad Request\r\n");
        assertRefusal("not a TLS record: 5353482d322e302d666f6f (\"SSH-2.0-...\")", "SSH-2.0-foo");
        assertRefusal("not a TLS record: 68656c6c6f (\"hello\")", "hello");
        assertRefusal("not a TLS record: 68690d0a6d61 (\"hi\")", "hi\r\nma");
        assertRefusal("not a TLS record: 000102030405", "\0\1\2\3\4\5");
    }

    private static void assertRefusal(String message, String sent) {
        ChannelBuffer buffer = ChannelBuffers.copiedBuffer(sent, StandardCharsets.US_ASCII);
        NotSslRecordException refusal = assertThrows(NotSslRecordException.class, () -> TlsRecords.length(buffer, 0));
        assertTrue(refusal.getMessage().endsWith(message), refusal::getMessage);
    }

    @Test
    void shouldReadBigEndianInEitherByteOrder() throws Exception {
        ChannelBuffer little = ChannelBuffers.wrappedBuffer(
                ByteOrder.LITTLE_ENDIAN, HexFormat.of().parseHex("1603030123"));
        assertEquals(5 + 0x123, TlsRecords.length(little, 0));
    }

    @Test
    void shouldDistinguishEncryptedFromPlainRecords() {
        assertTrue(SslHandler.isEncrypted(buffer("16030100c8")));
        assertTrue(SslHandler.isEncrypted(buffer("802e010301")));
        assertFalse(SslHandler.isEncrypted(buffer("4745542020")));
        assertFalse(SslHandler.isEncrypted(buffer("1603010000")), "a record without content");
        ChannelBuffer later = buffer("000016030100c8");
        later.skipBytes(2);
        assertTrue(SslHandler.isEncrypted(later));
        assertEquals(5, later.readableBytes());
        assertThrows(IllegalArgumentException.class, () -> SslHandler.isEncrypted(buffer("16030100")));
    }

    private static int length(String hex) throws NotSslRecordException {
        return TlsRecords.length(buffer(hex), 0);
    }

    private static ChannelBuffer buffer(String hex) {
        return ChannelBuffers.wrappedBuffer(HexFormat.of().parseHex(hex));
    }
}
