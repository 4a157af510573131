package org.freshet.handler.codec.http.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Computes a server's proof that it has read the key in a client's handshake (RFC 6455, section 4.2.2). Stateless; any
 * thread.
 */
public final class WebSocketProof {
    /** Hashed together with the key. */
    public static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private WebSocketProof() {}

    /** The value of {@code Sec-WebSocket-Accept} for this value of {@code Sec-WebSocket-Key}. */
    public static String of(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JVM has no SHA-1", e);
        }
    }
}
