package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients written elsewhere, each combined with slow reading, cancellation, small messages and drain: no answer is
 * lost, and no connection ends without a cause. A test is skipped if its client is not installed.
 */
@Tag("crypto")
class Http2ClientMatrixTest {
    /** The ways a connection may end, unless the server drains it. */
    private static final Set<CloseReason.Kind> IN_ORDER =
            EnumSet.of(CloseReason.Kind.PEER_CLOSED, CloseReason.Kind.PEER_RESET, CloseReason.Kind.COMPLETED);

    /** The error codes with which a client abandons an answer; curl reports that it has closed the stream. */
    private static final Set<Http2Error> CANCELS = EnumSet.of(Http2Error.CANCEL, Http2Error.STREAM_CLOSED);

    /** Shared by all tests, for compiled clients. */
    @TempDir
    private static Path folder;

    private final MatrixService service = new MatrixService();
    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());

    private int serveTls(SelfSignedCertificate certificate) throws SSLException {
        return serve(SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .applicationProtocols("h2", "http/1.1")
                .build());
    }

    private int serve(SslContext ssl) {
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            if (ssl != null) {
                pipeline.addLast("ssl", ssl.newHandler());
            }
            pipeline.addLast("http2", new Http2ServerHandler(service::pipeline));
            return pipeline;
        });
        Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    @AfterEach
    void release() {
        bootstrap.releaseExternalResources();
    }

    private void check(MatrixBehaviour behaviour, MatrixClient client) throws Exception {
        check(behaviour, client.run(behaviour, serve(null)));
    }

    private void check(MatrixBehaviour behaviour, List<String> reports) {
        assertEquals(behaviour.reports(), reports.stream().sorted().toList(), this::seen);
        boolean isDrain = behaviour == MatrixBehaviour.DRAIN;
        assertEquals(isDrain ? 2 : 1, service.connections().size(), this::seen);
        for (Channel connection : service.connections()) {
            CloseReason end = connection.getCloseReason();
            assertTrue(end == null || IN_ORDER.contains(end.kind()) || isDrain && end == CloseReason.LOCAL, this::seen);
        }
        int cancelled = behaviour == MatrixBehaviour.CANCEL ? MatrixBehaviour.MANY : 0;
        Await.until(() -> service.failures().size() == cancelled, this::seen);
        for (Throwable failure : service.failures()) {
            Http2Error error =
                    assertInstanceOf(Http2StreamException.class, failure).error();
            assertTrue(CANCELS.contains(error), this::seen);
        }
    }

    private String seen() {
        List<CloseReason> ends =
                service.connections().stream().map(Channel::getCloseReason).toList();
        return "the server saw the ends " + ends + " of connections, and " + service.failures() + " on streams";
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeCurl(MatrixBehaviour behaviour, @TempDir Path files) throws Exception {
        int port = serveTls(Certificates.named("localhost"));
        check(behaviour, new MatrixPrograms.Curl(files).run(behaviour, port));
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeNode(MatrixBehaviour behaviour) throws Exception {
        check(behaviour, MatrixPrograms.script("node", Http2PeerServersTest.script("matrix_client.js")));
    }

    @ParameterizedTest
    @EnumSource
    void shouldServePythonsH2(MatrixBehaviour behaviour) throws Exception {
        MatrixPrograms.assumeRuns(Http2PeerServersTest.python(), "-c", "import h2");
        String script = Http2PeerServersTest.script("matrix_client.py");
        check(behaviour, MatrixPrograms.script(Http2PeerServersTest.python(), script));
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeNetty4(MatrixBehaviour behaviour) throws Exception {
        check(behaviour, new MatrixNettyClient());
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeTheJdkClient(MatrixBehaviour behaviour) throws Exception {
        SelfSignedCertificate certificate = Certificates.named("localhost");
        int port = serveTls(certificate);
        assumeTrue(
                behaviour != MatrixBehaviour.DRAIN || Runtime.version().feature() >= 24,
                "a client before Java 24 fails all requests of a connection at a GOAWAY");
        WeakReference<HttpClient> ended;
        HttpClient client = JdkClients.trusting(certificate);
        try {
            check(behaviour, new MatrixJdkClient(client).run(behaviour, port));
        } finally {
            release();
            ended = JdkClients.end(client, port);
        }
        client = null;
        JdkClients.awaitEnd(ended);
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeGo(MatrixBehaviour behaviour) throws Exception {
        check(behaviour, MatrixPrograms.script(goProgram()));
    }

    /** It reads 4 KiB at a time, and sends a window update for each. */
    @Test
    void shouldServeAFastDownloadByGo() throws Exception {
        String output = MatrixPrograms.output(
                MatrixPrograms.start(List.of(goProgram(), String.valueOf(serve(null)), "fast")), "the client");

        assertEquals(MatrixService.report("/big/100000000"), output.strip(), this::seen);
    }

    private static String goProgram() throws Exception {
        return MatrixPrograms.goProgram(folder, Http2PeerServersTest.script("matrix_client.go"));
    }
}
