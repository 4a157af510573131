package org.freshet.handler.codec.http;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * A response status (RFC 9110 15): a code, and a phrase for people. Statuses with the same code are equal. Immutable.
 */
public class HttpResponseStatus implements Comparable<HttpResponseStatus> {
    /** The constants by code. */
    private static final HttpResponseStatus[] CONSTANTS = new HttpResponseStatus[600];

    public static final HttpResponseStatus CONTINUE = constant(100, "Continue");
    public static final HttpResponseStatus SWITCHING_PROTOCOLS = constant(101, "Switching Protocols");

    /** RFC 2518. */
    public static final HttpResponseStatus PROCESSING = constant(102, "Processing");

    public static final HttpResponseStatus OK = constant(200, "OK");
    public static final HttpResponseStatus CREATED = constant(201, "Created");
    public static final HttpResponseStatus ACCEPTED = constant(202, "Accepted");
    public static final HttpResponseStatus NON_AUTHORITATIVE_INFORMATION =
            constant(203, "Non-Authoritative Information");
    public static final HttpResponseStatus NO_CONTENT = constant(204, "No Content");
    public static final HttpResponseStatus RESET_CONTENT = constant(205, "Reset Content");
    public static final HttpResponseStatus PARTIAL_CONTENT = constant(206, "Partial Content");

    /** RFC 4918. */
    public static final HttpResponseStatus MULTI_STATUS = constant(207, "Multi-Status");

    public static final HttpResponseStatus MULTIPLE_CHOICES = constant(300, "Multiple Choices");
    public static final HttpResponseStatus MOVED_PERMANENTLY = constant(301, "Moved Permanently");
    public static final HttpResponseStatus FOUND = constant(302, "Found");
    public static final HttpResponseStatus SEE_OTHER = constant(303, "See Other");
    public static final HttpResponseStatus NOT_MODIFIED = constant(304, "Not Modified");
    public static final HttpResponseStatus USE_PROXY = constant(305, "Use Proxy");
    public static final HttpResponseStatus TEMPORARY_REDIRECT = constant(307, "Temporary Redirect");

    public static final HttpResponseStatus BAD_REQUEST = constant(400, "Bad Request");
    public static final HttpResponseStatus UNAUTHORIZED = constant(401, "Unauthorized");
    public static final HttpResponseStatus PAYMENT_REQUIRED = constant(402, "Payment Required");
    public static final HttpResponseStatus FORBIDDEN = constant(403, "Forbidden");
    public static final HttpResponseStatus NOT_FOUND = constant(404, "Not Found");
    public static final HttpResponseStatus METHOD_NOT_ALLOWED = constant(405, "Method Not Allowed");
    public static final HttpResponseStatus NOT_ACCEPTABLE = constant(406, "Not Acceptable");
    public static final HttpResponseStatus PROXY_AUTHENTICATION_REQUIRED =
            constant(407, "Proxy Authentication Required");
    public static final HttpResponseStatus REQUEST_TIMEOUT = constant(408, "Request Timeout");
    public static final HttpResponseStatus CONFLICT = constant(409, "Conflict");
    public static final HttpResponseStatus GONE = constant(410, "Gone");
    public static final HttpResponseStatus LENGTH_REQUIRED = constant(411, "Length Required");
    public static final HttpResponseStatus PRECONDITION_FAILED = constant(412, "Precondition Failed");
    public static final HttpResponseStatus REQUEST_ENTITY_TOO_LARGE = constant(413, "Request Entity Too Large");
    public static final HttpResponseStatus REQUEST_URI_TOO_LONG = constant(414, "Request-URI Too Long");
    public static final HttpResponseStatus UNSUPPORTED_MEDIA_TYPE = constant(415, "Unsupported Media Type");
    public static final HttpResponseStatus REQUESTED_RANGE_NOT_SATISFIABLE =
            constant(416, "Requested Range Not Satisfiable");
    public static final HttpResponseStatus EXPECTATION_FAILED = constant(417, "Expectation Failed");

    /** RFC 4918. */
    public static final HttpResponseStatus UNPROCESSABLE_ENTITY = constant(422, "Unprocessable Entity");

    /** RFC 4918. */
    public static final HttpResponseStatus LOCKED = constant(423, "Locked");

    /** RFC 4918. */
    public static final HttpResponseStatus FAILED_DEPENDENCY = constant(424, "Failed Dependency");

    /** An early draft of RFC 2518; the number means Too Early since RFC 8470. */
    public static final HttpResponseStatus UNORDERED_COLLECTION = constant(425, "Unordered Collection");

    public static final HttpResponseStatus UPGRADE_REQUIRED = constant(426, "Upgrade Required");

    /** RFC 6585. */
    public static final HttpResponseStatus PRECONDITION_REQUIRED = constant(428, "Precondition Required");

    /** RFC 6585. */
    public static final HttpResponseStatus TOO_MANY_REQUESTS = constant(429, "Too Many Requests");

    /** RFC 6585. */
    public static final HttpResponseStatus REQUEST_HEADER_FIELDS_TOO_LARGE =
            constant(431, "Request Header Fields Too Large");

    public static final HttpResponseStatus INTERNAL_SERVER_ERROR = constant(500, "Internal Server Error");
    public static final HttpResponseStatus NOT_IMPLEMENTED = constant(501, "Not Implemented");
    public static final HttpResponseStatus BAD_GATEWAY = constant(502, "Bad Gateway");
    public static final HttpResponseStatus SERVICE_UNAVAILABLE = constant(503, "Service Unavailable");
    public static final HttpResponseStatus GATEWAY_TIMEOUT = constant(504, "Gateway Timeout");
    public static final HttpResponseStatus HTTP_VERSION_NOT_SUPPORTED = constant(505, "HTTP Version Not Supported");

    /** RFC 2295. */
    public static final HttpResponseStatus VARIANT_ALSO_NEGOTIATES = constant(506, "Variant Also Negotiates");

    /** RFC 4918. */
    public static final HttpResponseStatus INSUFFICIENT_STORAGE = constant(507, "Insufficient Storage");

    /** RFC 2774. */
    public static final HttpResponseStatus NOT_EXTENDED = constant(510, "Not Extended");

    /** RFC 6585. */
    public static final HttpResponseStatus NETWORK_AUTHENTICATION_REQUIRED =
            constant(511, "Network Authentication Required");

    private final int code;
    private final String reasonPhrase;

    /** Such as {@code 200 OK}. */
    private final String text;

    /** The bytes after the version in a status line, including CR LF; null unless this is a constant. */
    private final byte[] lineEnd;

    /**
     * @param code 0 or more; only three-digit codes can be sent
     * @param reasonPhrase may be empty
     * @throws IllegalArgumentException if the code is negative, or the phrase contains a control other than HT, or a
     *     character past Latin-1
     */
    public HttpResponseStatus(int code, String reasonPhrase) {
        this(code, reasonPhrase, false);
    }

    private HttpResponseStatus(int code, String reasonPhrase, boolean rendered) {
        if (code < 0) {
            throw new IllegalArgumentException("code < 0: " + code);
        }
        this.code = code;
        this.reasonPhrase = HeaderSyntax.checkReason(Objects.requireNonNull(reasonPhrase, "reasonPhrase"));
        this.text = code + " " + reasonPhrase;
        this.lineEnd = rendered ? (' ' + text + "\r\n").getBytes(StandardCharsets.ISO_8859_1) : null;
    }

    private static HttpResponseStatus constant(int code, String reasonPhrase) {
        return CONSTANTS[code] = new HttpResponseStatus(code, reasonPhrase, true);
    }

    /**
     * Returns the status with this code. A code without a constant gets a phrase that names the code's class.
     *
     * @throws IllegalArgumentException if the code is negative
     */
    public static HttpResponseStatus valueOf(int code) {
        HttpResponseStatus constant = code >= 0 && code < CONSTANTS.length ? CONSTANTS[code] : null;
        return constant != null ? constant : new HttpResponseStatus(code, classOf(code) + " (" + code + ')');
    }

    private static String classOf(int code) {
        switch (code / 100) {
            case 1:
                return "Informational";
            case 2:
                return "Successful";
            case 3:
                return "Redirection";
            case 4:
                return "Client Error";
            case 5:
                return "Server Error";
            default:
                return "Unknown Status";
        }
    }

    public int getCode() {
        return code;
    }

    public String getReasonPhrase() {
        return reasonPhrase;
    }

    /**
     * The bytes after the version in a status line, including CR LF; null unless this is a constant. Don't change them.
     */
    byte[] lineEnd() {
        return lineEnd;
    }

    @Override
    public int hashCode() {
        return code;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof HttpResponseStatus && code == ((HttpResponseStatus) o).code;
    }

    @Override
    public int compareTo(HttpResponseStatus o) {
        return Integer.compare(code, o.code);
    }

    /** The code and the phrase. */
    @Override
    public String toString() {
        return text;
    }
}
