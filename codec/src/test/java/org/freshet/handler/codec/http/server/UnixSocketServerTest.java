package org.freshet.handler.codec.http.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.socket.nio.NioUnixServerChannelFactory;
import org.freshet.handler.codec.http.Curl;
import org.freshet.handler.codec.http.server.files.StaticFiles;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ready-made HTTP server on a Unix domain socket, tested with curl. */
class UnixSocketServerTest {
    private static final int LARGE = 3 << 20;

    @TempDir
    private Path folder;

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final HashedWheelTimer timer = new HashedWheelTimer();
    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioUnixServerChannelFactory(2));
    private Path socket;
    private Path root;
    private byte[] content;

    @BeforeAll
    static void requireCurl() throws Exception {
        Curl.require();
    }

    @BeforeEach
    void makeFiles() throws IOException {
        socket = folder.resolve("http.sock");
        root = Files.createDirectory(folder.resolve("root"));
        content = new byte[LARGE];
        Seeds.random().nextBytes(content);
        Files.write(root.resolve("large.bin"), content);
    }

    @AfterEach
    void stop() {
        bootstrap.releaseExternalResources();
        timer.stop();
    }

    private void serve(Consumer<HttpServerPipeline.Builder> settings) {
        HttpServerPipeline.Builder builder = HttpServerPipeline.builder(timer)
                .accessLog(entry -> {
                    log.add(AccessLogFormat.common().format(entry));
                    return null;
                })
                .files(StaticFiles.under(root).build());
        settings.accept(builder);
        bootstrap.setPipelineFactory(builder.build());
        bootstrap.bind(UnixDomainSocketAddress.of(socket));
    }

    private String curl(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("-sSk", "--max-time", "20", "--unix-socket", socket.toString()));
        command.addAll(List.of("-o", folder.resolve("out").toString(), "-w", "%{http_code} %{http_version}"));
        command.addAll(List.of(arguments));
        return Curl.run(command, null).output();
    }

    private void assertDownloaded() throws IOException {
        assertArrayEquals(content, Files.readAllBytes(folder.resolve("out")));
    }

    @Test
    void shouldServeAFileAndLogThePeer() throws Exception {
        serve(builder -> {});
        assertEquals("200 1.1", curl("http://localhost/large.bin"));
        assertDownloaded();
        Await.until(() -> log.size() == 1, "the access log");
        assertTrue(log.get(0).startsWith("unix: - - ["), log.get(0));
    }

    @Test
    void shouldServeOverTlsAndHttp2() throws Exception {
        SelfSignedCertificate certificate = Certificates.named("localhost");
        var tls = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .applicationProtocols("h2", "http/1.1")
                .build();
        serve(builder -> builder.tls(tls).http2(Http2Settings.defaults()));
        assertEquals("200 2", curl("--http2", "https://localhost/large.bin"));
        assertDownloaded();
        assertEquals("200 1.1", curl("--http1.1", "https://localhost/large.bin"));
        assertDownloaded();
    }
}
