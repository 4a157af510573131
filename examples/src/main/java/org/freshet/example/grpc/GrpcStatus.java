package org.freshet.example.grpc;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.freshet.handler.codec.http.HttpHeaders;

/**
 * How a call has ended: what {@code grpc-status} and {@code grpc-message} say. Immutable.
 *
 * @param code 0 for success; see the constants
 * @param message for people; empty for none
 */
public record GrpcStatus(int code, String message) {
    public static final int CANCELLED = 1;
    public static final int UNKNOWN = 2;
    public static final int INVALID_ARGUMENT = 3;
    public static final int DEADLINE_EXCEEDED = 4;
    public static final int RESOURCE_EXHAUSTED = 8;
    public static final int UNIMPLEMENTED = 12;
    public static final int INTERNAL = 13;
    public static final int UNAVAILABLE = 14;

    public static final GrpcStatus OK = new GrpcStatus(0, "");

    public boolean isOk() {
        return code == 0;
    }

    void addTo(HttpHeaders fields) {
        fields.set("grpc-status", Integer.toString(code));
        if (!message.isEmpty()) {
            // Percent signs, as gRPC has them: a blank stays a blank for most readers either way, but a plus does not.
            fields.set(
                    "grpc-message",
                    URLEncoder.encode(message, StandardCharsets.UTF_8).replace("+", "%20"));
        }
    }

    /** Null if the fields, of a head or trailers, say nothing of a status. */
    static GrpcStatus in(HttpHeaders fields) {
        String code = fields.get("grpc-status");
        if (code == null) {
            return null;
        }
        String message = fields.get("grpc-message");
        try {
            return new GrpcStatus(
                    Integer.parseInt(code),
                    message == null ? "" : URLDecoder.decode(message.replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return new GrpcStatus(UNKNOWN, "a status that is none: " + code + ", " + message);
        }
    }
}
