package org.freshet.handler.codec.proxyprotocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Objects;
import org.freshet.buffer.ByteString;
import org.freshet.handler.codec.frame.CorruptedFrameException;

/**
 * Details of a client's TLS connection to a proxy that terminates TLS: the value of the TLV
 * {@link ProxyProtocolTlv#SSL}.
 *
 * @param isTls whether the client uses TLS at all
 * @param hasCertificate whether the client has presented a certificate, on this connection or earlier in the session
 * @param isVerified whether the proxy has verified that certificate; always false without one
 * @param version such as {@code TLSv1.3}; null if the proxy doesn't say, as are the next two
 * @param commonName common name of the subject of the client's certificate
 * @param cipher such as {@code TLS_AES_128_GCM_SHA256}
 */
public record ProxyProtocolTls(
        boolean isTls, boolean hasCertificate, boolean isVerified, String version, String commonName, String cipher) {
    private static final int CLIENT_TLS = 0x01;
    private static final int CERTIFICATE_OF_CONNECTION = 0x02;
    private static final int CERTIFICATE_OF_SESSION = 0x04;

    private static final int VERSION = 0x21;
    private static final int COMMON_NAME = 0x22;
    private static final int CIPHER = 0x23;

    /** The client's flags and the result of the verification. */
    private static final int FIXED_BYTES = 5;

    private static final int TLV_HEAD_BYTES = 3;

    public ProxyProtocolTls {
        if (isVerified && !hasCertificate) {
            throw new IllegalArgumentException("isVerified without a certificate");
        }
    }

    /** Parses one level; the contents of the parts aren't checked. */
    static ProxyProtocolTls parse(ByteString value) throws CorruptedFrameException {
        if (value.length() < FIXED_BYTES) {
            throw new CorruptedFrameException("bytes of the TLV for TLS < " + FIXED_BYTES + ": " + value.length());
        }
        int client = value.byteAt(0);
        boolean isRefused = (value.byteAt(1) | value.byteAt(2) | value.byteAt(3) | value.byteAt(4)) != 0;
        boolean hasCertificate = (client & (CERTIFICATE_OF_CONNECTION | CERTIFICATE_OF_SESSION)) != 0;
        String[] texts = new String[CIPHER - VERSION + 1];
        for (int at = FIXED_BYTES; at < value.length(); ) {
            int left = value.length() - at - TLV_HEAD_BYTES;
            int length = left < 0 ? 0 : (value.byteAt(at + 1) & 0xff) << 8 | value.byteAt(at + 2) & 0xff;
            if (length > left) {
                throw new CorruptedFrameException("a part of the TLV for TLS extends beyond its end");
            }
            int index = (value.byteAt(at) & 0xff) - VERSION;
            at += TLV_HEAD_BYTES;
            if (index >= 0 && index < texts.length) {
                texts[index] = value.slice(at, length).toString(UTF_8);
            }
            at += length;
        }
        return new ProxyProtocolTls(
                (client & CLIENT_TLS) != 0, hasCertificate, hasCertificate && !isRefused, texts[0], texts[1], texts[2]);
    }

    /** Returns the value of a TLV with these details. */
    public ByteString toByteString() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write((isTls ? CLIENT_TLS : 0) | (hasCertificate ? CERTIFICATE_OF_CONNECTION | CERTIFICATE_OF_SESSION : 0));
        for (int i = 1; i < FIXED_BYTES; i++) {
            out.write(isVerified ? 0 : 0xff);
        }
        write(out, VERSION, version);
        write(out, COMMON_NAME, commonName);
        write(out, CIPHER, cipher);
        return ByteString.of(out.toByteArray());
    }

    private static void write(ByteArrayOutputStream out, int type, String text) {
        if (text != null) {
            byte[] bytes = text.getBytes(UTF_8);
            out.write(type);
            out.write(Objects.checkIndex(bytes.length, 1 << 16) >> 8);
            out.write(bytes.length);
            out.writeBytes(bytes);
        }
    }
}
