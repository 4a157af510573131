package org.freshet.handler.codec.http.server;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;

/** Builds the lines of the standard access log formats. Stateless. */
final class AccessLogLines {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);

    private static final ZoneId ZONE = ZoneOffset.UTC;

    private AccessLogLines() {}

    static StringBuilder common(AccessLogEntry entry) {
        StringBuilder line = new StringBuilder(128);
        line.append(host(entry.clientAddress())).append(" - - [");
        TIME.formatTo(entry.received().atZone(ZONE), line);
        line.append("] ");
        quoted(line, requestLine(entry));
        line.append(' ').append(entry.status() == 0 ? "-" : Integer.toString(entry.status()));
        return line.append(' ').append(entry.contentBytes() == 0 ? "-" : Long.toString(entry.contentBytes()));
    }

    private static String requestLine(AccessLogEntry entry) {
        return entry.method() == null ? null : entry.method() + ' ' + entry.target() + ' ' + entry.version();
    }

    private static String host(SocketAddress address) {
        if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
            return inet.getAddress().getHostAddress();
        }
        if (address instanceof UnixDomainSocketAddress) { // usually without a path
            return "unix:" + escaped(address.toString()).replace(' ', '_');
        }
        return address == null ? "-" : escaped(address.toString()).replace(' ', '_');
    }

    /** Appends the text in quotes; null becomes a hyphen. */
    static StringBuilder quoted(StringBuilder line, String text) {
        return line.append('"').append(text == null ? "-" : escaped(text)).append('"');
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                escaped.append('\\').append(c);
            } else if (c >= 0x20 && c < 0x7f) {
                escaped.append(c);
            } else {
                escaped.append(String.format(c > 0xff ? "\\u%04x" : "\\x%02x", (int) c));
            }
        }
        return escaped.toString();
    }

    static String json(AccessLogEntry entry) {
        StringBuilder json = new StringBuilder(256);
        field(json, "time", entry.received().toString());
        field(json, "remote", host(entry.clientAddress()));
        if (!Objects.equals(entry.clientAddress(), entry.remoteAddress())) {
            field(json, "proxy", host(entry.remoteAddress()));
        }
        field(json, "method", entry.method());
        field(json, "target", entry.target());
        field(json, "version", entry.version());
        number(json, "status", entry.status());
        number(json, "bytes", entry.contentBytes());
        number(json, "duration_us", entry.duration().toNanos() / 1000);
        json.append(",\"complete\":").append(entry.complete());
        field(json, "host", entry.host());
        field(json, "referer", entry.referer());
        field(json, "user_agent", entry.userAgent());
        field(json, "failure", entry.failure());
        return json.append('}').toString();
    }

    private static void number(StringBuilder json, String name, long value) {
        json.append(",\"").append(name).append("\":").append(value);
    }

    private static void field(StringBuilder json, String name, String value) {
        if (value == null) {
            return;
        }
        json.append(json.length() == 0 ? '{' : ',').append('"').append(name).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c >= 0x20 && c < 0x7f) {
                json.append(c);
            } else {
                json.append(String.format("\\u%04x", (int) c));
            }
        }
        json.append('"');
    }
}
