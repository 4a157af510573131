package org.freshet.handler.codec.http.server;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.HttpDates;

/**
 * What a request for a file is answered with.
 *
 * @param head with the content, if that is short
 * @param content what is sent behind the head; null for nothing
 */
record FileAnswer(HttpResponse head, RangedContent content) {
    /** A head of a status, with what every answer has. */
    static HttpResponse newHead(HttpResponseStatus status) {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        head.headers().set(Names.DATE, (Object) HttpDates.format(System.currentTimeMillis()));
        return head;
    }

    /** A status alone, which says itself in a line of text; 204 and 304 have none. */
    static FileAnswer ofStatus(HttpResponseStatus status) {
        HttpResponse head = newHead(status);
        int code = status.getCode();
        if (code == 304 || code == 204) {
            return new FileAnswer(head, null);
        }
        ChannelBuffer text = ChannelBuffers.copiedBuffer(status + "\n", StandardCharsets.US_ASCII);
        head.headers().set(Names.CONTENT_TYPE, (Object) "text/plain; charset=utf-8");
        head.headers().set("X-Content-Type-Options", (Object) "nosniff");
        HttpHeaders.setContentLength(head, text.readableBytes());
        head.setContent(text);
        return new FileAnswer(head, null);
    }

    FileAnswer with(String header, Object value) {
        head.headers().set(header, value);
        return this;
    }
}
