package org.freshet.microbench.compare.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http2.RateControl;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.freshet.microbench.compare.load.HttpDialect;
import org.freshet.microbench.compare.load.Tls;

/**
 * Jetty 12 over HTTP/2 with prior knowledge: one acceptor, one selector, and a handler declared as non-blocking, so
 * that it runs on the reading thread. Like the others, it sends neither date nor server.
 */
final class JettyServer implements PeerServer {
    private final Assignment assignment;
    private final Server server = new Server();

    JettyServer(Assignment assignment) {
        this.assignment = assignment;
    }

    @Override
    public int start() throws Exception {
        ServerConnector connector = new ServerConnector(server, null, null, null, 1, 1, connectionFactories());
        connector.setHost(Servers.anyLoopbackPort().getHostString());
        connector.setAcceptQueueSize(Servers.BACKLOG);
        server.addConnector(connector);
        server.setHandler(
                assignment.has("body")
                        ? new Counting()
                        : new Answering(HttpDialect.content(assignment.number("answer"))));
        server.start();
        return connector.getLocalPort();
    }

    private ConnectionFactory[] connectionFactories() {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setSendServerVersion(false);
        configuration.setSendDateHeader(false);
        if (!assignment.isSecure()) {
            HTTP2CServerConnectionFactory http2 = new HTTP2CServerConnectionFactory(configuration);
            http2.setRateControlFactory(new RateControl.Factory() {});
            return new ConnectionFactory[] {http2};
        }
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(configuration);
        http2.setRateControlFactory(new RateControl.Factory() {});
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setSslContext(Tls.context());
        tls.setIncludeProtocols(Tls.protocols());
        tls.setIncludeCipherSuites(Tls.cipherSuites());
        return new ConnectionFactory[] {new SslConnectionFactory(tls, http2.getProtocol()), http2};
    }

    @Override
    public void close() throws IOException {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IOException("Jetty cannot be stopped", e);
        }
    }

    private static void answer(Response response, byte[] content, Callback callback) {
        response.setStatus(200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, HttpDialect.CONTENT_TYPE);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
        response.write(true, ByteBuffer.wrap(content), callback);
    }

    private static final class Answering extends Handler.Abstract.NonBlocking {
        private final byte[] content;

        Answering(byte[] content) {
            this.content = content;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            answer(response, content, callback);
            return true;
        }
    }

    private static final class Counting extends Handler.Abstract.NonBlocking {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            new Count(request, response, callback).run();
            return true;
        }
    }

    /** Reads the available part of a request, and answers it at its end. */
    private static final class Count implements Runnable {
        private final Request request;
        private final Response response;
        private final Callback callback;
        private long bytes;

        Count(Request request, Response response, Callback callback) {
            this.request = request;
            this.response = response;
            this.callback = callback;
        }

        @Override
        public void run() {
            for (Content.Chunk chunk = request.read(); chunk != null; chunk = request.read()) {
                if (Content.Chunk.isFailure(chunk)) {
                    callback.failed(chunk.getFailure());
                    return;
                }
                bytes += chunk.remaining();
                chunk.release();
                if (chunk.isLast()) {
                    answer(response, HttpDialect.countOf(bytes), callback);
                    return;
                }
            }
            request.demand(this);
        }
    }
}
