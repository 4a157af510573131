package org.freshet.microbench.compare.server;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.freshet.microbench.compare.load.HttpDialect;

/**
 * Vert.x 5 over NIO with its default settings: an acceptor and one event loop that runs the handlers. For echo and
 * HTTP.
 */
final class VertxServer implements PeerServer {
    private static final int MAX_CLOSE_SECONDS = 10;
    private static final Buffer CONTENT = Buffer.buffer(HttpDialect.CONTENT);

    private final Assignment assignment;
    private final Vertx vertx = Vertx.vertx(new VertxOptions()
            .setEventLoopPoolSize(1)
            .setFileSystemOptions(
                    new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));

    VertxServer(Assignment assignment) {
        this.assignment = assignment;
    }

    @Override
    public int start() {
        if (assignment.role() == Role.ECHO) {
            return vertx.createNetServer(addressed(new NetServerOptions()))
                    .connectHandler(VertxServer::echo)
                    .listen()
                    .await()
                    .actualPort();
        }
        HttpServerOptions options = new HttpServerOptions();
        addressed(options);
        return vertx.createHttpServer(options)
                .requestHandler(assignment.has("body") ? VertxServer::count : VertxServer::greet)
                .listen()
                .await()
                .actualPort();
    }

    private NetServerOptions addressed(NetServerOptions options) {
        return options.setHost(Servers.anyLoopbackPort().getHostString())
                .setPort(0)
                .setAcceptBacklog(Servers.BACKLOG)
                .setTcpNoDelay(assignment.tcpNoDelay());
    }

    private static void echo(NetSocket socket) {
        socket.handler(socket::write);
    }

    private static void greet(HttpServerRequest request) {
        answer(request, CONTENT);
    }

    private static void count(HttpServerRequest request) {
        long[] bytes = {0};
        request.handler(piece -> bytes[0] += piece.length());
        request.endHandler(end -> answer(request, Buffer.buffer(HttpDialect.countOf(bytes[0]))));
    }

    /** Vert.x adds the length itself. */
    private static void answer(HttpServerRequest request, Buffer content) {
        request.response().putHeader("Content-Type", HttpDialect.CONTENT_TYPE).end(content);
    }

    @Override
    public void close() {
        try {
            vertx.close().await(MAX_CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("Vert.x did not close within " + MAX_CLOSE_SECONDS + " s", e);
        }
    }
}
