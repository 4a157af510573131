package org.freshet.handler.codec.http.websocketx;

/** The challenge of draft 00: the server proves that it has read the client's two keys and eight bytes. Stateless. */
final class Draft00Challenge {
    static final int CLIENT_BYTES = 8;

    private Draft00Challenge() {}

    /** @throws WebSocketHandshakeException if a key is malformed */
    static byte[] answer(String key1, String key2, byte[] clientBytes) {
        byte[] challenge = new byte[4 + 4 + CLIENT_BYTES];
        put(number(key1), challenge, 0);
        put(number(key2), challenge, 4);
        System.arraycopy(clientBytes, 0, challenge, 8, CLIENT_BYTES);
        return WebSocketUtil.digest("MD5", challenge);
    }

    static void put(int number, byte[] bytes, int at) {
        for (int i = 0; i < 4; i++) {
            bytes[at + i] = (byte) (number >>> 24 - 8 * i);
        }
    }

    /** A key encodes a number: its digits, divided by its count of spaces. */
    private static int number(String key) {
        long digits = 0;
        int blanks = 0;
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c >= '0' && c <= '9') {
                digits = digits * 10 + c - '0';
                if (digits > 0xFFFF_FFFFL) {
                    throw malformed(key);
                }
            } else if (c == ' ') {
                blanks++;
            }
        }
        if (blanks == 0 || digits % blanks != 0) {
            throw malformed(key);
        }
        return (int) (digits / blanks);
    }

    private static WebSocketHandshakeException malformed(String key) {
        return new WebSocketHandshakeException("malformed WebSocket draft 00 key: " + key);
    }
}
