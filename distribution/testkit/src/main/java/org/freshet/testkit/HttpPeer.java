package org.freshet.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.Http2ClientConnection;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.testkit.simulation.Watch;

/**
 * A peer that speaks HTTP/1.1 or HTTP/2. See {@link Peer} for the rules. A request doesn't wait for the response to the
 * previous one: without an {@code expect} between them, HTTP/1.1 requests are pipelined, and HTTP/2 requests use
 * parallel streams. Responses are expected in the order of their requests, whatever order they arrive in. For requests
 * that aren't valid HTTP, script a {@link TcpPeer}.
 */
public final class HttpPeer extends Peer<HttpPeer> {
    private static final int MAX_CONTENT_BYTES = 16 << 20;

    enum Version {
        HTTP_1_1,
        HTTP_2
    }

    private final Version version;

    /** In the order of their requests; null for a response that has not arrived. */
    private final List<HttpResponse> responses = new ArrayList<>();

    private int requests;
    private int received;
    private int expected;

    /** Null with HTTP/1.1, and before the first request. */
    private Http2ClientConnection streams;

    HttpPeer(SimulatedNetwork network, Watch watch, Version version) {
        super(network, watch);
        this.version = version;
    }

    @Override
    HttpPeer self() {
        return this;
    }

    @Override
    void addHandlers(ChannelPipeline pipeline) {
        if (version == Version.HTTP_2) {
            pipeline.addLast(
                    "http2",
                    new Http2ClientHandler(Http2Settings.defaults().toBuilder()
                            .timer(network().timer())
                            .build()));
        } else {
            pipeline.addLast("codec", new HttpClientCodec());
            pipeline.addLast("aggregator", new HttpChunkAggregator(MAX_CONTENT_BYTES));
        }
    }

    /** For HTTP/1.1, whose responses arrive in order. */
    @Override
    void onMessage(Object message) {
        if (message instanceof HttpResponse response) {
            onResponse(received, response);
        }
    }

    private void onResponse(int number, HttpResponse response) {
        while (responses.size() <= number) {
            responses.add(null);
        }
        responses.set(number, response);
        received++;
    }

    @Override
    String received() {
        int unexpected = received - expected;
        return unexpected <= 0 ? "" : "responses to " + unexpected + " other requests";
    }

    // ---- sending ----------------------------------------------------------------------------------------------------

    /** Sends a GET with a {@code Host} header. */
    public HttpPeer get(String path) {
        return send(HttpMethod.GET, path, "");
    }

    /** Sends a POST with a UTF-8 text as its content. */
    public HttpPeer post(String path, String content) {
        return send(HttpMethod.POST, path, content);
    }

    private HttpPeer send(HttpMethod method, String path, String content) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, path);
        HttpHeaders.setHost(request, "simulated");
        if (!HttpMethod.GET.equals(method)) {
            request.setContent(ChannelBuffers.copiedBuffer(content, StandardCharsets.UTF_8));
            HttpHeaders.setContentLength(request, request.getContent().readableBytes());
        }
        return send(request);
    }

    /** Sends a request unchanged. */
    public HttpPeer send(HttpRequest request) {
        Objects.requireNonNull(request, "request");
        return step("send", () -> {
            int number = requests++;
            if (version == Version.HTTP_2) {
                open(number, request);
            } else {
                channel().write(request);
            }
            return true;
        });
    }

    private void open(int number, HttpRequest request) {
        if (streams == null) {
            streams = Http2ClientConnection.of(channel());
        }
        streams.open(Channels.pipeline(new HttpChunkAggregator(MAX_CONTENT_BYTES), new Stream(number, request)));
    }

    /** One HTTP/2 request. */
    private final class Stream extends SimpleChannelUpstreamHandler {
        private final int number;
        private final HttpRequest request;

        Stream(int number, HttpRequest request) {
            this.number = number;
            this.request = request;
        }

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            e.getChannel().write(request);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            onResponse(number, (HttpResponse) e.getMessage());
            advance();
        }

        /** Ignored: the script reports the missing response. */
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    // ---- receiving --------------------------------------------------------------------------------------------------

    /** Waits for the next response, which must have this status. */
    public HttpPeer expect(int status) {
        return expect(status, response -> {});
    }

    /** Waits for the next response, which must have this status and this content in UTF-8. */
    public HttpPeer expect(int status, String content) {
        return expect(status, response -> {
            String text = response.getContent().toString(StandardCharsets.UTF_8);
            if (!text.equals(content)) {
                fail("expected the content \"" + content + "\", but received \"" + text + "\"");
            }
        });
    }

    /**
     * Waits for the next response, which must have this status.
     *
     * @param check gets the whole response; throws an {@link AssertionError} if it isn't right
     */
    public HttpPeer expect(int status, Consumer<HttpResponse> check) {
        Objects.requireNonNull(check, "check");
        return step("a response with status " + status, () -> {
            HttpResponse response = expected < responses.size() ? responses.get(expected) : null;
            if (response == null) {
                return false;
            }
            expected++;
            if (response.getStatus().getCode() != status) {
                fail("expected the status " + status + ", but received " + response.getStatus());
            }
            check.accept(response);
            return true;
        });
    }
}
