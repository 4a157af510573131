package org.freshet.microbench.compare.server;

import io.activej.bytebuf.ByteBuf;
import io.activej.csp.consumer.ChannelConsumers;
import io.activej.csp.supplier.ChannelSuppliers;
import io.activej.eventloop.Eventloop;
import io.activej.http.HttpHeaderValue;
import io.activej.http.HttpHeaders;
import io.activej.http.HttpRequest;
import io.activej.http.HttpResponse;
import io.activej.http.HttpServer;
import io.activej.net.AbstractReactiveServer;
import io.activej.net.SimpleServer;
import io.activej.net.socket.tcp.ITcpSocket;
import io.activej.promise.Promise;
import io.activej.reactor.net.ServerSocketSettings;
import io.activej.reactor.net.SocketSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.freshet.microbench.compare.load.HttpDialect;
import org.slf4j.helpers.NOPLogger;

/**
 * ActiveJ 6 over NIO: one event loop accepts, reads and runs the handlers. For echo and HTTP.
 *
 * <p>Only the loop uses the server. Connections have no time-out, because a server waiting for its turn is silent for
 * minutes.
 */
final class ActiveJServer implements PeerServer {
    private static final int MAX_CLOSE_SECONDS = 10;
    private static final Duration NEVER = Duration.ofDays(1);
    private static final byte[] CONTENT = HttpDialect.CONTENT.getBytes(StandardCharsets.US_ASCII);
    private static final HttpHeaderValue CONTENT_TYPE = HttpHeaderValue.of(HttpDialect.CONTENT_TYPE);

    private final Eventloop loop = Eventloop.create();
    private final Thread thread = new Thread(loop, "activej");
    private final AbstractReactiveServer server;

    ActiveJServer(Assignment assignment) {
        server = assignment.role() == Role.ECHO
                ? addressed(SimpleServer.builder(loop, ActiveJServer::echo), assignment)
                        .build()
                : addressed(
                                HttpServer.builder(
                                        loop, assignment.has("body") ? ActiveJServer::count : ActiveJServer::greet),
                                assignment)
                        .withKeepAliveTimeout(NEVER)
                        .withReadWriteTimeout(NEVER)
                        .build();
    }

    private static <B extends AbstractReactiveServer.Builder<B, S>, S extends AbstractReactiveServer> B addressed(
            B builder, Assignment assignment) {
        return builder.withListenAddress(Servers.anyLoopbackPort())
                .withServerSocketSettings(ServerSocketSettings.builder()
                        .withBacklog(Servers.BACKLOG)
                        .build())
                .withSocketSettings(SocketSettings.builder()
                        .withTcpNoDelay(assignment.tcpNoDelay())
                        .build())
                .withLogger(NOPLogger.NOP_LOGGER);
    }

    @Override
    public int start() throws IOException {
        loop.keepAlive(true);
        thread.start();
        await(loop.submit(server::listen));
        return server.getBoundAddresses().get(0).getPort();
    }

    private static void echo(ITcpSocket socket) {
        ChannelSuppliers.ofSocket(socket).streamTo(ChannelConsumers.ofSocket(socket));
    }

    private static Promise<HttpResponse> greet(HttpRequest request) {
        return answer(CONTENT);
    }

    private static Promise<HttpResponse> count(HttpRequest request) {
        return request.takeBodyStream()
                .map(ActiveJServer::lengthOf)
                .toCollector(Collectors.summingLong(Integer::longValue))
                .then(bytes -> answer(HttpDialect.countOf(bytes)));
    }

    private static int lengthOf(ByteBuf piece) {
        int bytes = piece.readRemaining();
        piece.recycle();
        return bytes;
    }

    /** ActiveJ adds the length and the keep-alive header itself. */
    private static Promise<HttpResponse> answer(byte[] content) {
        return HttpResponse.ok200()
                .withHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE)
                .withBody(content)
                .toPromise();
    }

    @Override
    public void close() throws IOException {
        try {
            await(server.closeFuture());
        } finally {
            loop.submit(this::end);
            Servers.join(thread);
        }
    }

    /** ActiveJ keeps connections whose end it has not read yet. */
    private void end() {
        loop.getSelector().keys().forEach(key -> Servers.closeQuietly(key.channel()));
        loop.breakEventloop();
    }

    private static void await(Future<?> future) throws IOException {
        try {
            future.get(MAX_CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("ActiveJ did not start or close", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while ActiveJ was starting or closing", e);
        }
    }
}
