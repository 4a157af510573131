package org.freshet.microbench.compare.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.freshet.microbench.compare.load.HttpDialect;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.OptionsBuilder;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * microhttp over NIO: one thread accepts, and one loop reads and runs the handler. It keeps a request's content until
 * it is complete, and has no option for TCP_NODELAY.
 */
final class MicrohttpServer implements PeerServer {
    private static final byte[] CONTENT = HttpDialect.CONTENT.getBytes(StandardCharsets.US_ASCII);
    private static final List<Header> HEADERS = List.of(new Header("Content-Type", HttpDialect.CONTENT_TYPE));
    private static final int MAX_REQUEST_BYTES = 1 << 27;

    private final Handler handler;
    private EventLoop loop;

    MicrohttpServer(Assignment assignment) {
        handler = assignment.has("body") ? MicrohttpServer::count : MicrohttpServer::greet;
    }

    @Override
    public int start() throws IOException {
        Options options = OptionsBuilder.newBuilder()
                .withHost(Servers.anyLoopbackPort().getHostString())
                .withPort(0)
                .withAcceptLength(Servers.BACKLOG)
                .withMaxRequestSize(MAX_REQUEST_BYTES)
                .withRequestTimeout(Duration.ofDays(1)) // it would also close connections that wait for their turn
                .withConcurrency(1)
                .build();
        loop = new EventLoop(options, NoopLogger.instance(), handler);
        loop.start();
        return loop.getPort();
    }

    private static void greet(Request request, Consumer<Response> answers) {
        answer(CONTENT, answers);
    }

    private static void count(Request request, Consumer<Response> answers) {
        answer(HttpDialect.countOf(request.body().length), answers);
    }

    /** microhttp adds the length itself. */
    private static void answer(byte[] content, Consumer<Response> answers) {
        answers.accept(new Response(200, "OK", HEADERS, content));
    }

    @Override
    public void close() {
        loop.stop();
        try {
            loop.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
