package org.freshet.handler.codec.http.websocketx;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * One element of {@code Sec-WebSocket-Extensions}, an offer or an answer: an extension and its parameters.
 *
 * @param name a token
 * @param parameters in order; a name may be repeated
 */
public record WebSocketExtensionSpec(String name, List<Parameter> parameters) {
    /**
     * A parameter.
     *
     * @param name a token
     * @param value a token, or null for no value
     */
    public record Parameter(String name, String value) {
        /** @throws IllegalArgumentException if the name or the value is not a token */
        public Parameter {
            checkToken("name", name);
            if (value != null) {
                checkToken("value", value);
            }
        }

        @Override
        public String toString() {
            return value == null ? name : name + '=' + value;
        }
    }

    /** @throws IllegalArgumentException if the name is not a token */
    public WebSocketExtensionSpec {
        checkToken("name", name);
        parameters = List.copyOf(parameters);
    }

    /** Creates one without parameters. */
    public WebSocketExtensionSpec(String name) {
        this(name, List.of());
    }

    private static void checkToken(String what, String text) {
        if (!HeaderSyntax.isToken(Objects.requireNonNull(text, what))) {
            throw new IllegalArgumentException(what + " is not a token: " + text);
        }
    }

    /** Returns a copy with one more parameter. */
    public WebSocketExtensionSpec with(String parameter, String value) {
        List<Parameter> more = new ArrayList<>(parameters);
        more.add(new Parameter(parameter, value));
        return new WebSocketExtensionSpec(name, more);
    }

    /** The text for the header. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        parameters.forEach(parameter -> text.append("; ").append(parameter));
        return text.toString();
    }

    /**
     * Parses all {@code Sec-WebSocket-Extensions} headers of a message.
     *
     * @throws WebSocketHandshakeException if a header is malformed
     */
    static List<WebSocketExtensionSpec> parse(List<String> headerValues) {
        List<WebSocketExtensionSpec> specs = new ArrayList<>();
        for (String value : headerValues) {
            new Parser(value).parseInto(specs);
        }
        return specs;
    }

    /** Parses one header value: elements separated by commas, parameters after semicolons, values as tokens or quoted strings. */
    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        void parseInto(List<WebSocketExtensionSpec> specs) {
            skipBlanks();
            while (at < text.length()) {
                if (!skip(',')) { // an empty element is allowed
                    specs.add(element());
                    if (at < text.length() && !skip(',')) {
                        throw malformed();
                    }
                }
            }
        }

        private WebSocketExtensionSpec element() {
            String name = token();
            List<Parameter> parameters = new ArrayList<>();
            while (skip(';')) {
                String parameter = token();
                parameters.add(new Parameter(parameter, skip('=') ? value() : null));
            }
            return new WebSocketExtensionSpec(name, parameters);
        }

        private String value() {
            if (at >= text.length() || text.charAt(at) != '"') {
                return token();
            }
            at++;
            StringBuilder unquoted = new StringBuilder();
            while (at < text.length() && text.charAt(at) != '"') {
                at += text.charAt(at) == '\\' ? 1 : 0;
                unquoted.append(at < text.length() ? text.charAt(at++) : ' ');
            }
            if (!skip('"') || !HeaderSyntax.isToken(unquoted)) {
                throw malformed(); // a quoted value must still be a token (RFC 6455, section 9.1)
            }
            return unquoted.toString();
        }

        private String token() {
            int start = at;
            while (at < text.length() && HeaderSyntax.isTokenChar(text.charAt(at))) {
                at++;
            }
            if (at == start) {
                throw malformed();
            }
            String token = text.substring(start, at);
            skipBlanks();
            return token;
        }

        private boolean skip(char c) {
            if (at >= text.length() || text.charAt(at) != c) {
                return false;
            }
            at++;
            skipBlanks();
            return true;
        }

        private void skipBlanks() {
            while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
                at++;
            }
        }

        private WebSocketHandshakeException malformed() {
            return new WebSocketHandshakeException("malformed Sec-WebSocket-Extensions: " + text);
        }
    }
}
