package org.freshet.handler.codec.http.websocketx;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * An extension with its parameters, as in one element of {@code Sec-WebSocket-Extensions}: an offer, or the answer to one.
 *
 * @param name a token
 * @param parameters in their order; a name may come more than once
 */
public record WebSocketExtensionSpec(String name, List<Parameter> parameters) {
    /**
     * A parameter.
     *
     * @param name a token
     * @param value a token, or null if there is none
     */
    public record Parameter(String name, String value) {
        /** @throws IllegalArgumentException if one of them is not a token */
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

    /** Without parameters. */
    public WebSocketExtensionSpec(String name) {
        this(name, List.of());
    }

    private static void checkToken(String what, String text) {
        if (!HeaderSyntax.isToken(Objects.requireNonNull(text, what))) {
            throw new IllegalArgumentException(what + " is not a token: " + text);
        }
    }

    /** A copy with one more parameter. */
    public WebSocketExtensionSpec with(String parameter, String value) {
        List<Parameter> more = new ArrayList<>(parameters);
        more.add(new Parameter(parameter, value));
        return new WebSocketExtensionSpec(name, more);
    }

    /** As it stands in a header. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        parameters.forEach(parameter -> text.append("; ").append(parameter));
        return text.toString();
    }

    /**
     * Reads the values of all {@code Sec-WebSocket-Extensions} headers of a message.
     *
     * @throws WebSocketHandshakeException if they break the grammar
     */
    static List<WebSocketExtensionSpec> parse(List<String> headerValues) {
        List<WebSocketExtensionSpec> specs = new ArrayList<>();
        for (String value : headerValues) {
            new Parser(value).parseInto(specs);
        }
        return specs;
    }

    /** Reads one header value: elements between commas, parameters behind semicolons, a value as a token or quoted. */
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
                throw malformed(); // what is quoted has to be a token all the same (RFC 6455, section 9.1)
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
            return new WebSocketHandshakeException("a malformed Sec-WebSocket-Extensions: " + text);
        }
    }
}
