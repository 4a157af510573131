package org.freshet.handler.codec.http.websocketx;

import java.util.HashSet;
import java.util.Set;
import org.freshet.handler.codec.http.websocketx.WebSocketExtensionSpec.Parameter;

/**
 * The parameters of permessage-deflate in an offer or an answer (RFC 7692, section 7.1). Immutable.
 *
 * @param serverMaxWindowBits {@value #ABSENT}, or {@value #MIN_BITS} to {@value #MAX_BITS}
 * @param clientMaxWindowBits likewise; without a value it counts as {@value #MAX_BITS}
 */
record DeflateParameters(
        boolean serverNoContextTakeover,
        boolean clientNoContextTakeover,
        int serverMaxWindowBits,
        int clientMaxWindowBits) {
    static final int ABSENT = 0;
    static final int MIN_BITS = 8;
    static final int MAX_BITS = 15;

    static final String SERVER_NO_CONTEXT_TAKEOVER = "server_no_context_takeover";
    static final String CLIENT_NO_CONTEXT_TAKEOVER = "client_no_context_takeover";
    static final String SERVER_MAX_WINDOW_BITS = "server_max_window_bits";
    static final String CLIENT_MAX_WINDOW_BITS = "client_max_window_bits";

    /**
     * Parses an offer or an answer.
     *
     * @param isAnswer whether {@code client_max_window_bits} needs a value
     * @return null if a parameter is unknown, has a bad value, or is repeated
     */
    static DeflateParameters parse(WebSocketExtensionSpec spec, boolean isAnswer) {
        boolean serverNoContextTakeover = false;
        boolean clientNoContextTakeover = false;
        int serverBits = ABSENT;
        int clientBits = ABSENT;
        Set<String> names = new HashSet<>();
        for (Parameter parameter : spec.parameters()) {
            if (!names.add(parameter.name()) || !isValid(parameter, isAnswer)) {
                return null;
            }
            switch (parameter.name()) {
                case SERVER_NO_CONTEXT_TAKEOVER -> serverNoContextTakeover = true;
                case CLIENT_NO_CONTEXT_TAKEOVER -> clientNoContextTakeover = true;
                case SERVER_MAX_WINDOW_BITS -> serverBits = bits(parameter.value());
                default -> clientBits = parameter.value() == null ? MAX_BITS : bits(parameter.value());
            }
        }
        return new DeflateParameters(serverNoContextTakeover, clientNoContextTakeover, serverBits, clientBits);
    }

    private static boolean isValid(Parameter parameter, boolean isAnswer) {
        String value = parameter.value();
        return switch (parameter.name()) {
            case SERVER_NO_CONTEXT_TAKEOVER, CLIENT_NO_CONTEXT_TAKEOVER -> value == null;
            case SERVER_MAX_WINDOW_BITS -> value != null && bits(value) != ABSENT;
            case CLIENT_MAX_WINDOW_BITS -> value == null ? !isAnswer : bits(value) != ABSENT;
            default -> false;
        };
    }

    /** Parses a decimal number without leading zeros (section 7.1.2); {@link #ABSENT} if it is out of range or malformed. */
    private static int bits(String value) {
        return switch (value) {
            case "8" -> 8;
            case "9" -> 9;
            case "10" -> 10;
            case "11" -> 11;
            case "12" -> 12;
            case "13" -> 13;
            case "14" -> 14;
            case "15" -> 15;
            default -> ABSENT;
        };
    }

    WebSocketExtensionSpec toSpec(String extension) {
        WebSocketExtensionSpec spec = new WebSocketExtensionSpec(extension);
        if (serverNoContextTakeover) {
            spec = spec.with(SERVER_NO_CONTEXT_TAKEOVER, null);
        }
        if (clientNoContextTakeover) {
            spec = spec.with(CLIENT_NO_CONTEXT_TAKEOVER, null);
        }
        if (serverMaxWindowBits != ABSENT) {
            spec = spec.with(SERVER_MAX_WINDOW_BITS, Integer.toString(serverMaxWindowBits));
        }
        if (clientMaxWindowBits != ABSENT) {
            spec = spec.with(CLIENT_MAX_WINDOW_BITS, Integer.toString(clientMaxWindowBits));
        }
        return spec;
    }
}
