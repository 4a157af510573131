package org.freshet.handler.codec.http;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Bytes with a meaning in HTTP. */
public final class HttpConstants {
    public static final byte SP = ' ';
    public static final byte HT = '\t';
    public static final byte CR = '\r';
    public static final byte LF = '\n';
    public static final byte EQUALS = '=';
    public static final byte COLON = ':';
    public static final byte SEMICOLON = ';';
    public static final byte COMMA = ',';
    public static final byte DOUBLE_QUOTE = '"';

    /** UTF-8. Used for query strings and forms that name no charset. */
    public static final Charset DEFAULT_CHARSET = StandardCharsets.UTF_8;

    private HttpConstants() {}
}
