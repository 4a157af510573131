package org.freshet.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Consumer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelPipeline;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testkit.simulation.Watch;

/**
 * A peer that speaks HTTP/1.1. See {@link Peer} for the rules. Requests don't wait for responses: without an {@code expect} between them
 * they are pipelined. For requests that are no proper HTTP, script a {@link TcpPeer}.
 */
public final class HttpPeer extends Peer<HttpPeer> {
    private static final int MAX_CONTENT_BYTES = 16 << 20;

    private final Queue<HttpResponse> received = new ArrayDeque<>();

    HttpPeer(SimulatedNetwork network, Watch watch) {
        super(network, watch);
    }

    @Override
    HttpPeer self() {
        return this;
    }

    @Override
    void addHandlers(ChannelPipeline pipeline) {
        pipeline.addLast("codec", new HttpClientCodec());
        pipeline.addLast("aggregator", new HttpChunkAggregator(MAX_CONTENT_BYTES));
    }

    @Override
    void onMessage(Object message) {
        received.add((HttpResponse) message);
    }

    @Override
    String received() {
        return received.isEmpty() ? "" : received.size() + " responses, first " + received.peek().getStatus();
    }

    // ---- sending ----------------------------------------------------------------------------------------------------

    /** Sends a GET, with a {@code Host}. */
    public HttpPeer get(String path) {
        return send(HttpMethod.GET, path, "");
    }

    /** Sends a POST with a text as its content. */
    public HttpPeer post(String path, String content) {
        return send(HttpMethod.POST, path, content);
    }

    private HttpPeer send(HttpMethod method, String path, String content) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, path);
        HttpHeaders.setHost(request, "simulated");
        if (method != HttpMethod.GET) {
            request.setContent(ChannelBuffers.copiedBuffer(content, StandardCharsets.UTF_8));
            HttpHeaders.setContentLength(request, request.getContent().readableBytes());
        }
        return send(request);
    }

    /** Sends a request as it is. */
    public HttpPeer send(HttpRequest request) {
        Objects.requireNonNull(request, "request");
        return step("send", () -> {
            channel().write(request);
            return true;
        });
    }

    // ---- receiving --------------------------------------------------------------------------------------------------

    /** Waits for the next response, which must have this status. */
    public HttpPeer expect(int status) {
        return expect(status, response -> {});
    }

    /** Waits for the next response, which must have this status and this content. */
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
     * @param check looks at the whole response; throws an {@link AssertionError} if it isn't right
     */
    public HttpPeer expect(int status, Consumer<HttpResponse> check) {
        Objects.requireNonNull(check, "check");
        return step("a response with status " + status, () -> {
            HttpResponse response = received.poll();
            if (response == null) {
                return false;
            }
            if (response.getStatus().getCode() != status) {
                fail("expected the status " + status + ", but received " + response.getStatus());
            }
            check.accept(response);
            return true;
        });
    }
}
