package org.freshet.handler.codec.http.websocketx;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** The computations of the handshakes. Stateless; any thread. */
final class WebSocketUtil {
    private static final SecureRandom RANDOM = new SecureRandom();

    private WebSocketUtil() {}

    static byte[] digest(String algorithm, byte[] bytes) {
        try {
            return MessageDigest.getInstance(algorithm).digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JVM has no " + algorithm, e);
        }
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static byte[] randomBytes(int size) {
        byte[] bytes = new byte[size];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** A random number in the range, both ends included. */
    static int randomNumber(int least, int most) {
        return least + RANDOM.nextInt(most - least + 1);
    }
}
