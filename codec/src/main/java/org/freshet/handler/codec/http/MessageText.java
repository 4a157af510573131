package org.freshet.handler.codec.http;

import java.util.Map;

/** The text for {@code toString} of a message: its class, start line and headers. Not for the wire. */
final class MessageText {
    private MessageText() {}

    static String of(HttpMessage message, String startLine) {
        StringBuilder text = new StringBuilder(message.getClass().getSimpleName());
        text.append("(chunked: ").append(message.isChunked()).append(')');
        text.append(System.lineSeparator()).append(startLine);
        return append(text, message.headers()).toString();
    }

    static StringBuilder append(StringBuilder text, HttpHeaders headers) {
        for (Map.Entry<String, String> header : headers) {
            text.append(System.lineSeparator());
            text.append(header.getKey()).append(": ").append(header.getValue());
        }
        return text;
    }
}
