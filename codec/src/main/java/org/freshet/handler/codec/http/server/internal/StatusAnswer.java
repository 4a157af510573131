package org.freshet.handler.codec.http.server.internal;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

/** Creates responses that consist of little more than a status. Stateless; any thread. */
public final class StatusAnswer {
    private StatusAnswer() {}

    /** A response with only the status, also as a line of text; 204 and 304 have no content. */
    public static HttpResponse of(HttpResponseStatus status) {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        int code = status.getCode();
        if (code == 304 || code == 204) {
            return head;
        }
        ChannelBuffer text = ChannelBuffers.copiedBuffer(status + "\n", StandardCharsets.US_ASCII);
        head.headers().set(Names.CONTENT_TYPE, "text/plain; charset=utf-8");
        head.headers().set("X-Content-Type-Options", "nosniff");
        HttpHeaders.setContentLength(head, text.readableBytes());
        head.setContent(text);
        return head;
    }
}
