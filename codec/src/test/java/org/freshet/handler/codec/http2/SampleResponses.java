package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

final class SampleResponses {
    private SampleResponses() {}

    static HttpResponse response() {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    }

    static HttpResponse response(int length) {
        HttpResponse response = response();
        response.setContent(ChannelBuffers.wrappedBuffer(new byte[length]));
        return response;
    }

    static HttpResponse response(String content) {
        HttpResponse response = response();
        response.setContent(ChannelBuffers.copiedBuffer(content, ISO_8859_1));
        return response;
    }
}
