package org.freshet.example.grpc;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.freshet.handler.codec.http.HttpHeaders;

/**
 * The outcome of a call: the values of {@code grpc-status} and {@code grpc-message}. Immutable.
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
            // gRPC uses percent-encoding. Most receivers would also accept a plain blank, but not a plus sign.
            fields.set(
                    "grpc-message",
                    URLEncoder.encode(message, StandardCharsets.UTF_8).replace("+", "%20"));
        }
    }

    /** Returns null if the fields of a head or trailers contain no status. */
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
            return new GrpcStatus(UNKNOWN, "invalid status: " + code + ", " + message);
        }
    }
}
