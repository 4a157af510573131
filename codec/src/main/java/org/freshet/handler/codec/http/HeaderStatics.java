package org.freshet.handler.codec.http;

import java.text.ParseException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http.internal.HttpDates;

/** Implements the static methods of {@link HttpHeaders}. Stateless; any thread that may touch the message. */
final class HeaderStatics {
    private HeaderStatics() {}

    // ---- persistence ----

    static boolean isKeepAlive(HttpMessage message) {
        boolean keepAlive = message.getProtocolVersion().isKeepAliveDefault();
        if (!message.headers().contains(Names.CONNECTION)) {
            return keepAlive;
        }
        List<String> values = message.headers().getAll(Names.CONNECTION);
        return !HeaderSyntax.hasToken(values, Values.CLOSE)
                && (keepAlive || HeaderSyntax.hasToken(values, Values.KEEP_ALIVE));
    }

    static void setKeepAlive(HttpMessage message, boolean keepAlive) {
        if (keepAlive == message.getProtocolVersion().isKeepAliveDefault()) {
            message.headers().remove(Names.CONNECTION);
        } else {
            message.headers().set(Names.CONNECTION, keepAlive ? Values.KEEP_ALIVE : Values.CLOSE);
        }
    }

    /**
     * Whether an existing header has only one value. False if the headers are of a user's class, which can't tell
     * without creating a list.
     */
    static boolean isSingle(HttpHeaders headers, String name) {
        return headers.getClass() == DefaultHttpHeaders.class && ((DefaultHttpHeaders) headers).isSingle(name);
    }

    // ---- numbers and dates ----

    static String numberOf(HttpMessage message, String name) {
        String value = message.headers().get(name);
        if (value == null) {
            throw new NumberFormatException("the message has no header " + name);
        }
        return value;
    }

    static int intOf(String value, int defaultValue) {
        try {
            return value == null ? defaultValue : Integer.parseInt(value);
        } catch (NumberFormatException e) {
            return defaultValue;
        }
    }

    static Date date(HttpMessage message, String name) throws ParseException {
        String value = message.headers().get(name);
        if (value == null) {
            throw new ParseException("the message has no header " + name, 0);
        }
        return HttpHeaderDateFormat.get().parse(value);
    }

    static Date date(HttpMessage message, String name, Date defaultValue) {
        String value = message.headers().get(name);
        Instant date = value == null ? null : HttpDates.parse(value);
        return date == null ? defaultValue : Date.from(date);
    }

    static void setDate(HttpMessage message, String name, Date value) {
        if (value == null) {
            message.headers().remove(name);
        } else {
            message.headers().set(name, value);
        }
    }

    // ---- content ----

    static long contentLength(HttpMessage message) {
        String value = message.headers().get(Names.CONTENT_LENGTH);
        if (value != null) {
            return Long.parseLong(value);
        }
        int handshake = draft76ContentLength(message);
        if (handshake < 0) {
            throw new NumberFormatException("the message has no header " + Names.CONTENT_LENGTH);
        }
        return handshake;
    }

    static long contentLength(HttpMessage message, long defaultValue) {
        String value = message.headers().get(Names.CONTENT_LENGTH);
        if (value == null) {
            int handshake = draft76ContentLength(message);
            return handshake < 0 ? defaultValue : handshake;
        }
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            return defaultValue;
        }
    }

    /** The implied length of a WebSocket handshake of draft 76; -1 if the message isn't one. */
    static int draft76ContentLength(HttpMessage message) {
        HttpHeaders headers = message.headers();
        if (message instanceof HttpRequest) {
            boolean handshake = HttpMethod.GET.equals(((HttpRequest) message).getMethod())
                    && headers.contains(Names.SEC_WEBSOCKET_KEY1)
                    && headers.contains(Names.SEC_WEBSOCKET_KEY2);
            return handshake ? 8 : -1;
        }
        boolean handshake = message instanceof HttpResponse
                && ((HttpResponse) message).getStatus().getCode() == 101
                && headers.contains(Names.SEC_WEBSOCKET_ORIGIN)
                && headers.contains(Names.SEC_WEBSOCKET_LOCATION);
        return handshake ? 16 : -1;
    }

    static boolean isChunked(HttpMessage message) {
        return hasTransferEncoding(message)
                && HeaderSyntax.hasToken(message.headers().getAll(Names.TRANSFER_ENCODING), Values.CHUNKED);
    }

    private static boolean hasTransferEncoding(HttpMessage message) {
        HttpHeaders headers = message.headers();
        boolean isOurs = headers.getClass() == DefaultHttpHeaders.class;
        return (!isOurs || ((DefaultHttpHeaders) headers).mayBeCoded()) && headers.contains(Names.TRANSFER_ENCODING);
    }

    /** For a message that {@link #isChunked}: whether {@code chunked} is the last coding. */
    static boolean isChunkedLast(HttpMessage message) {
        List<String> values = message.headers().getAll(Names.TRANSFER_ENCODING);
        String last = values.get(values.size() - 1);
        return last.substring(last.lastIndexOf(',') + 1).trim().equalsIgnoreCase(Values.CHUNKED);
    }

    /** Whether any transfer coding is applied. {@code identity} from RFC 2616 does not count. */
    static boolean isCoded(HttpMessage message) {
        return hasTransferEncoding(message)
                && !message.headers().contains(Names.TRANSFER_ENCODING, Values.IDENTITY, true);
    }

    static void removeChunked(HttpMessage message) {
        List<String> kept = new ArrayList<>(2);
        for (String value : message.headers().getAll(Names.TRANSFER_ENCODING)) {
            String others = withoutChunked(value);
            if (!others.isEmpty()) {
                kept.add(others);
            }
        }
        message.headers().set(Names.TRANSFER_ENCODING, kept);
    }

    private static String withoutChunked(String value) {
        StringBuilder others = new StringBuilder();
        for (String coding : value.split(",")) {
            if (!coding.trim().equalsIgnoreCase(Values.CHUNKED)) {
                others.append(others.length() == 0 ? "" : ", ").append(coding.trim());
            }
        }
        return others.toString();
    }

    static void addChunked(HttpMessage message) {
        removeChunked(message);
        appendChunked(message);
        message.headers().remove(Names.CONTENT_LENGTH);
    }

    /** Extends the last existing line: peers disagree on what several lines mean, and strict ones refuse them. */
    static void appendChunked(HttpMessage message) {
        List<String> lines = new ArrayList<>(message.headers().getAll(Names.TRANSFER_ENCODING));
        if (lines.isEmpty()) {
            message.headers().set(Names.TRANSFER_ENCODING, Values.CHUNKED);
            return;
        }
        int last = lines.size() - 1;
        lines.set(last, lines.get(last) + ", " + Values.CHUNKED);
        message.headers().set(Names.TRANSFER_ENCODING, lines);
    }

    static boolean is100ContinueExpected(HttpMessage message) {
        return message instanceof HttpRequest
                && message.getProtocolVersion().isAtLeast11()
                && message.headers().contains(Names.EXPECT, Values.CONTINUE, true);
    }

    static void set100ContinueExpected(HttpMessage message, boolean set) {
        if (!set) {
            message.headers().remove(Names.EXPECT);
        } else if (!message.headers().contains(Names.EXPECT, Values.CONTINUE, true)) {
            message.headers().set(Names.EXPECT, Values.CONTINUE);
        }
    }
}
