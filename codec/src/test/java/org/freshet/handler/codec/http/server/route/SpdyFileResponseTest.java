package org.freshet.handler.codec.http.server.route;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.freshet.handler.codec.embedder.ChannelEmbedder;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.spdy.SpdyHttpEncoder;
import org.freshet.handler.codec.spdy.SpdyHttpHeaders;
import org.freshet.handler.codec.spdy.SpdyHttpResponseStreamIdHandler;
import org.freshet.handler.codec.spdy.SpdyStreamFrame;
import org.freshet.handler.codec.spdy.SpdyVersion;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over SPDY no codec knows about HEAD; the stream must still end. */
class SpdyFileResponseTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void shouldEndTheStream(String method) throws IOException {
        Path file = Files.writeString(folder.resolve("page.txt"), "hello");
        ChannelEmbedder<Object> channel = new ChannelEmbedder<>(
                new SpdyHttpEncoder(SpdyVersion.SPDY_3_1),
                new SpdyHttpResponseStreamIdHandler(),
                RequestHandler.of(request -> HttpResponses.file(file, "text/plain")));
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), "/page.txt");
        HttpHeaders.setHost(request, "a");
        SpdyHttpHeaders.setStreamId(request, 1);
        channel.offer(request);
        Object last = null;
        for (Object frame = channel.pollWritten(); frame != null; frame = channel.pollWritten()) {
            last = frame;
        }
        assertTrue(assertInstanceOf(SpdyStreamFrame.class, last).isLast(), String.valueOf(last));
    }
}
