package org.freshet.handler.codec.http.multipart;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http.internal.PercentDecoder;

/**
 * A header's value and its parameters (RFC 9110 5.6.6), as in {@code Content-Type} and {@code Content-Disposition}.
 * Immutable.
 *
 * <p>In quotes, a backslash escapes a quotation mark or a backslash. Before any other character it is taken literally,
 * since browsers send Windows paths unescaped.
 */
final class HeaderParameters {
    private final String value;
    private final Map<String, String> parameters = new TreeMap<>();

    private final String text;
    private int at;

    /**
     * @throws IllegalArgumentException if the text is not of this form, or repeats a parameter, so that two readers
     *     could use different ones
     */
    HeaderParameters(String text) {
        this.text = text;
        int end = text.indexOf(';');
        value = text.substring(0, end < 0 ? text.length() : end).strip().toLowerCase(Locale.ROOT);
        at = end < 0 ? text.length() : end;
        while (at < text.length()) {
            at++; // the semicolon
            readParameter();
        }
    }

    private void readParameter() {
        skipBlanks();
        if (at == text.length() || text.charAt(at) == ';') {
            return;
        }
        int equals = text.indexOf('=', at);
        if (equals < 0) {
            throw malformed("a parameter without a value");
        }
        String name = text.substring(at, equals).strip().toLowerCase(Locale.ROOT);
        if (!HeaderSyntax.isToken(name)) {
            throw malformed("a parameter name that is not a token");
        }
        at = equals + 1;
        skipBlanks();
        boolean quoted = at < text.length() && text.charAt(at) == '"';
        if (parameters.put(name, quoted ? readQuoted() : readUnquoted()) != null) {
            throw malformed("a repeated parameter " + name);
        }
    }

    private String readUnquoted() {
        int end = text.indexOf(';', at);
        String unquoted = text.substring(at, end < 0 ? text.length() : end).strip();
        at = end < 0 ? text.length() : end;
        if (unquoted.indexOf('"') >= 0) {
            throw malformed("a quotation mark inside a value");
        }
        return unquoted;
    }

    private String readQuoted() {
        StringBuilder unescaped = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"') {
                at++;
                skipBlanks();
                if (at < text.length() && text.charAt(at) != ';') {
                    throw malformed("text after a quoted value");
                }
                return unescaped.toString();
            }
            char following = at + 1 < text.length() ? text.charAt(at + 1) : 0;
            if (c == '\\' && (following == '"' || following == '\\')) {
                c = following;
                at++;
            }
            unescaped.append(c);
        }
        throw malformed("a quotation mark that is not closed");
    }

    private void skipBlanks() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }

    private IllegalArgumentException malformed(String what) {
        return new IllegalArgumentException(what + " in a header: " + HeaderSyntax.printable(text));
    }

    /** The text before the parameters, in lower case. */
    String value() {
        return value;
    }

    /** @param name in lower case; returns null if there is no such parameter */
    String get(String name) {
        return parameters.get(name);
    }

    /**
     * The charset parameter, or null if missing.
     *
     * @throws IllegalArgumentException if the charset is unknown, or only for reading, such as x-JISAutoDetect
     */
    Charset charset() {
        String name = get("charset");
        Charset charset = name == null ? null : Charset.forName(name);
        if (charset != null && !charset.canEncode()) {
            throw malformed("a charset that cannot be written");
        }
        return charset;
    }

    /** The parameter {@code name*} (RFC 8187), which includes its charset; otherwise {@code name}. */
    String getExtended(String name) {
        String extended = get(name + '*');
        if (extended == null) {
            return get(name);
        }
        int charsetEnd = extended.indexOf('\'');
        int languageEnd = extended.indexOf('\'', charsetEnd + 1);
        if (charsetEnd < 0 || languageEnd < 0) {
            throw malformed("no charset in " + name + '*');
        }
        String charset = extended.substring(0, charsetEnd);
        if (!charset.equalsIgnoreCase("UTF-8") && !charset.equalsIgnoreCase("ISO-8859-1")) {
            throw malformed("neither UTF-8 nor ISO-8859-1 in " + name + '*');
        }
        // A plus sign means itself here.
        String escaped = extended.substring(languageEnd + 1).replace("+", "%2B");
        Charset decoder = charset.equalsIgnoreCase("UTF-8") ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
        return PercentDecoder.decode(escaped, 0, escaped.length(), decoder);
    }

    /**
     * The boundary of a multipart type.
     *
     * @throws IllegalArgumentException if there is no boundary, or it is invalid according to RFC 2046 5.1.1
     */
    String boundary() {
        String boundary = get("boundary");
        if (boundary == null) {
            throw malformed("no boundary");
        }
        boolean valid = !boundary.isEmpty() && boundary.length() <= 70 && !boundary.endsWith(" ");
        for (int i = 0; i < boundary.length() && valid; i++) {
            char c = boundary.charAt(i);
            valid = c >= ' ' && c < 0x7f;
        }
        if (!valid) {
            throw malformed("a boundary that is not 1 to 70 ASCII characters");
        }
        return boundary;
    }
}
