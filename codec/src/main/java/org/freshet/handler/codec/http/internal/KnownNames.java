package org.freshet.handler.codec.http.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Keys for comparing header names, ignoring case. The key of a common name is its number, so comparing such names means
 * comparing ints. Any other name has a negative hash as its key; if hashes are equal, the names themselves must be
 * compared.
 *
 * <p>The tables are immutable; any thread may use them.
 */
public final class KnownNames {
    private static final String[] NAMES = {
        // Names that a decoder acts on come first; see the constants below.
        "Content-Length",
        "Transfer-Encoding",
        "Host",
        "Connection",
        "Expect",
        "Upgrade",
        "Trailer",
        "Sec-WebSocket-Accept",
        "Sec-WebSocket-Key1",
        "Sec-WebSocket-Key2",
        "Sec-WebSocket-Location",
        "Sec-WebSocket-Origin",
        "Accept",
        "Accept-CH",
        "Accept-Charset",
        "Accept-Encoding",
        "Accept-Language",
        "Accept-Patch",
        "Accept-Ranges",
        "Access-Control-Allow-Credentials",
        "Access-Control-Allow-Headers",
        "Access-Control-Allow-Methods",
        "Access-Control-Allow-Origin",
        "Access-Control-Expose-Headers",
        "Access-Control-Max-Age",
        "Access-Control-Request-Headers",
        "Access-Control-Request-Method",
        "Age",
        "Allow",
        "Alt-Svc",
        "Authorization",
        "Bandwidth",
        "Blocksize",
        "CSeq",
        "Cache-Control",
        "Conference",
        "Content-Base",
        "Content-Disposition",
        "Content-Encoding",
        "Content-Language",
        "Content-Location",
        "Content-MD5",
        "Content-Range",
        "Content-Security-Policy",
        "Content-Transfer-Encoding",
        "Content-Type",
        "Cookie",
        "DNT",
        "Date",
        "ETag",
        "Expires",
        "Forwarded",
        "From",
        "If-Match",
        "If-Modified-Since",
        "If-None-Match",
        "If-Range",
        "If-Unmodified-Since",
        "KeyMgmt",
        "Keep-Alive",
        "Last-Modified",
        "Link",
        "Location",
        "Max-Forwards",
        "Origin",
        "Pragma",
        "Priority",
        "Proxy-Authenticate",
        "Proxy-Authorization",
        "Proxy-Connection",
        "Proxy-Require",
        "Public",
        "RTP-Info",
        "Range",
        "Referer",
        "Require",
        "Retry-After",
        "Scale",
        "Sec-CH-UA",
        "Sec-CH-UA-Mobile",
        "Sec-CH-UA-Platform",
        "Sec-Fetch-Dest",
        "Sec-Fetch-Mode",
        "Sec-Fetch-Site",
        "Sec-Fetch-User",
        "Sec-WebSocket-Extensions",
        "Sec-WebSocket-Key",
        "Sec-WebSocket-Protocol",
        "Sec-WebSocket-Version",
        "Server",
        "Session",
        "Set-Cookie",
        "Set-Cookie2",
        "Speed",
        "Strict-Transport-Security",
        "TE",
        "Timestamp",
        "Transport",
        "Unsupported",
        "Upgrade-Insecure-Requests",
        "User-Agent",
        "Vary",
        "Via",
        "WWW-Authenticate",
        "Warning",
        "WebSocket-Location",
        "WebSocket-Origin",
        "WebSocket-Protocol",
        "X-Content-Type-Options",
        "X-Forwarded-For",
        "X-Forwarded-Host",
        "X-Forwarded-Port",
        "X-Forwarded-Proto",
        "X-Frame-Options",
        "X-Real-IP",
        "X-Request-ID",
        "X-Requested-With",
        "traceparent",
        "tracestate",
    };

    public static final int CONTENT_LENGTH = 0;
    public static final int TRANSFER_ENCODING = 1;
    public static final int HOST = 2;
    public static final int CONNECTION = 3;
    public static final int EXPECT = 4;
    public static final int UPGRADE = 5;
    public static final int TRAILER = 6;
    public static final int SEC_WEBSOCKET_ACCEPT = 7;
    public static final int SEC_WEBSOCKET_KEY1 = 8;
    public static final int SEC_WEBSOCKET_KEY2 = 9;
    public static final int SEC_WEBSOCKET_LOCATION = 10;
    public static final int SEC_WEBSOCKET_ORIGIN = 11;

    /** Keys from 0 up to this one, exclusive, are those that a decoder acts on. */
    public static final int FRAMING_KEYS = 12;

    private static final VarHandle LONG_LE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long EACH_BIT_OF_CASE = 0x2020_2020_2020_2020L;
    private static final long COLONS = 0x3a3a_3a3a_3a3a_3a3aL;
    private static final long EACH_LOW_BIT = 0x0101_0101_0101_0101L;
    private static final long EACH_HIGH_BIT = 0x8080_8080_8080_8080L;
    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

    /** Slots per table. Most look-ups hit the first slot, because few are in use. */
    private static final int SLOTS = 1024;

    private static final byte[][] CANONICAL = new byte[NAMES.length][];

    /** For each name: its length, then pairs of its next eight bytes and the mask of their letters' case bits. */
    private static final long[][] WORDS = new long[NAMES.length][];

    /** Keys by {@link #hash}; -1 for an empty slot. */
    private static final short[] BY_HASH = new short[SLOTS];

    /** Names by {@link String#hashCode}, in two spellings. The slots are those of {@link #SPELLING_KEYS}. */
    private static final String[] SPELLINGS = new String[SLOTS];

    private static final short[] SPELLING_KEYS = new short[SLOTS];

    static {
        Arrays.fill(BY_HASH, (short) -1);
        for (short key = 0; key < NAMES.length; key++) {
            String lowerCase = NAMES[key].toLowerCase(Locale.ROOT);
            CANONICAL[key] = NAMES[key].getBytes(StandardCharsets.ISO_8859_1);
            WORDS[key] = words(CANONICAL[key]);
            int slot = slot(hash(NAMES[key]));
            while (BY_HASH[slot] >= 0) {
                slot = next(slot);
            }
            BY_HASH[slot] = key;
            addSpelling(NAMES[key], key);
            addSpelling(lowerCase, key);
        }
    }

    private KnownNames() {}

    private static long[] words(byte[] name) {
        long[] words = new long[1 + (name.length + Long.BYTES - 1) / Long.BYTES * 2];
        words[0] = name.length;
        for (int i = 0; i < name.length; i++) {
            int shift = i % Long.BYTES * Byte.SIZE;
            boolean letter = (name[i] | 0x20) >= 'a' && (name[i] | 0x20) <= 'z';
            words[1 + i / Long.BYTES * 2] |= (long) name[i] << shift;
            words[2 + i / Long.BYTES * 2] |= (letter ? 0x20L : 0) << shift;
        }
        return words;
    }

    private static void addSpelling(String name, short key) {
        int slot = slot(name.hashCode());
        while (SPELLINGS[slot] != null) {
            slot = next(slot);
        }
        SPELLINGS[slot] = name;
        SPELLING_KEYS[slot] = key;
    }

    private static int slot(int hash) {
        return (hash ^ hash >>> 16 ^ hash >>> 10) & SLOTS - 1;
    }

    private static int next(int slot) {
        return slot + 1 & SLOTS - 1;
    }

    /** The key of a name: its number if it is a known one, in any spelling; otherwise a negative hash. */
    public static int key(String name) {
        for (int slot = slot(name.hashCode()); SPELLINGS[slot] != null; slot = next(slot)) {
            if (SPELLINGS[slot] == name || SPELLINGS[slot].equals(name)) {
                return SPELLING_KEYS[slot];
            }
        }
        int hash = hash(name);
        for (int slot = slot(hash); BY_HASH[slot] >= 0; slot = next(slot)) {
            if (NAMES[BY_HASH[slot]].equalsIgnoreCase(name)) {
                return BY_HASH[slot];
            }
        }
        return hash;
    }

    /** The key of a name in an array; the same as for the name as a String. */
    public static int key(byte[] bytes, int from, int to, int hash) {
        for (int slot = slot(hash); BY_HASH[slot] >= 0; slot = next(slot)) {
            int key = BY_HASH[slot];
            if (equalsIgnoringCase(WORDS[key], bytes, from, to)) {
                return key;
            }
        }
        return hash;
    }

    private static boolean equalsIgnoringCase(long[] words, byte[] bytes, int from, int to) {
        if (words[0] != to - from) {
            return false;
        }
        int at = from;
        for (int i = 1; i < words.length; i += 2, at += Long.BYTES) {
            if (((word(bytes, at, to) ^ words[i]) & ~words[i + 1]) != 0) {
                return false;
            }
        }
        return true;
    }

    /** The eight bytes starting at {@code at}, with zeros from {@code to} on; the first one is the lowest. */
    private static long word(byte[] bytes, int at, int to) {
        int length = Math.min(to - at, Long.BYTES);
        if (at > bytes.length - Long.BYTES) {
            long word = 0;
            for (int i = length - 1; i >= 0; i--) {
                word = word << Byte.SIZE | bytes[at + i] & 0xff;
            }
            return word;
        }
        return (long) LONG_LE.get(bytes, at) & -1L >>> Long.SIZE - length * Byte.SIZE;
    }

    /** The usual spelling of a known name. */
    public static String name(int key) {
        return NAMES[key];
    }

    /** The name in an array. Creates no String if it is a known name in its usual spelling. */
    public static String name(int key, byte[] bytes, int from, int to) {
        if (key >= 0 && Arrays.equals(CANONICAL[key], 0, CANONICAL[key].length, bytes, from, to)) {
            return NAMES[key];
        }
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    // ---- hashing: words of eight characters with their case folded, the same for Strings and bytes ----

    private static int hash(String name) {
        long hash = 0;
        int length = name.length();
        for (int at = 0; at < length; at += Long.BYTES) {
            long word = 0;
            for (int i = Math.min(length - at, Long.BYTES) - 1; i >= 0; i--) {
                word = word << Byte.SIZE | name.charAt(at + i) & 0xff;
            }
            hash = mix(hash, fold(word, length - at));
        }
        return finish(hash);
    }

    private static long fold(long word, int length) {
        long folded = word | EACH_BIT_OF_CASE;
        return length >= Long.BYTES ? folded : folded & (1L << length * Byte.SIZE) - 1;
    }

    private static long mix(long hash, long word) {
        long mixed = (hash ^ word) * MULTIPLIER;
        return mixed ^ mixed >>> 32;
    }

    private static int finish(long hash) {
        return (int) (hash ^ hash >>> 29) | Integer.MIN_VALUE;
    }

    /**
     * Finds the colon that ends a name, and hashes the name in the same pass.
     *
     * @return the colon's index in the upper 32 bits and the hash in the lower; -1 if there is no colon before
     *     {@code to}
     */
    public static long hashUpToColon(byte[] bytes, int from, int to) {
        long hash = 0;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long word = (long) LONG_LE.get(bytes, at);
            long difference = word ^ COLONS;
            long hits = difference - EACH_LOW_BIT & ~difference & EACH_HIGH_BIT;
            if (hits != 0) {
                int length = Long.numberOfTrailingZeros(hits) / Byte.SIZE;
                return found(at + length, length == 0 ? hash : mix(hash, fold(word, length)));
            }
            hash = mix(hash, word | EACH_BIT_OF_CASE);
        }
        long word = 0;
        for (int i = 0; at + i < to; i++) {
            if (bytes[at + i] == ':') {
                return found(at + i, i == 0 ? hash : mix(hash, fold(word, i)));
            }
            word |= (bytes[at + i] & 0xffL) << i * Byte.SIZE;
        }
        return -1;
    }

    private static long found(int colon, long hash) {
        return (long) colon << Integer.SIZE | finish(hash) & 0xffff_ffffL;
    }
}
