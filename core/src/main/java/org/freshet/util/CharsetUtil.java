package org.freshet.util;

import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** The charsets every JVM has, and coders that replace what they cannot convert. */
public final class CharsetUtil {
    public static final Charset UTF_16 = StandardCharsets.UTF_16;

    public static final Charset UTF_16BE = StandardCharsets.UTF_16BE;

    public static final Charset UTF_16LE = StandardCharsets.UTF_16LE;

    public static final Charset UTF_8 = StandardCharsets.UTF_8;

    public static final Charset ISO_8859_1 = StandardCharsets.ISO_8859_1;

    public static final Charset US_ASCII = StandardCharsets.US_ASCII;

    private CharsetUtil() {}

    /**
     * Returns a new encoder that writes the charset's replacement for what it cannot encode. Encoders are not cached
     * per thread: nested users would share one, and virtual threads would multiply them.
     */
    public static CharsetEncoder getEncoder(Charset charset) {
        return charset.newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
    }

    /** Returns a new decoder that replaces malformed bytes, usually with U+FFFD. */
    public static CharsetDecoder getDecoder(Charset charset) {
        return charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
    }
}
