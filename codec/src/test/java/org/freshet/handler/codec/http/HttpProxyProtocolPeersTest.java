package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ByteString;
import org.freshet.channel.OriginalAddress;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.server.route.RoutedRequest;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolHeader;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolSettings;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolTlv;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Other PROXY protocol implementations in front of a server: HAProxy and nginx, each itself behind a proxy, and curl.
 * Each is skipped if it isn't installed; {@code -Dfreshet.nginx.modules=DIRECTORY} names the directory of nginx's
 * stream module.
 */
class HttpProxyProtocolPeersTest {
    private static final String CLIENT = "PROXY TCP4 203.0.113.7 198.51.100.1 4711 443\r\n";
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n";
    private static final Path STREAM_MODULE =
            Path.of(System.getProperty("freshet.nginx.modules", "/usr/lib/nginx/modules"), "ngx_stream_module.so");

    private final HashedWheelTimer timer = new HashedWheelTimer();
    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory(1));
    private int port;

    @TempDir
    private Path folder;

    @BeforeEach
    void serve() {
        bootstrap.setPipelineFactory(HttpServerPipeline.builder(timer)
                .proxyProtocol(ProxyProtocolSettings.trusting("127.0.0.0/8", "::1/128")
                        .withTlvs(ProxyProtocolTlv.UNIQUE_ID, ProxyProtocolTlv.AUTHORITY))
                .aggregate(1000)
                .handler("application", () -> RequestHandler.of(HttpProxyProtocolPeersTest::tell))
                .build());
        port = ((InetSocketAddress) bootstrap
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .getLocalAddress())
                .getPort();
    }

    @AfterEach
    void stop() {
        bootstrap.releaseExternalResources();
        timer.stop();
    }

    private static HttpResponse tell(RoutedRequest request) {
        ProxyProtocolHeader header = ProxyProtocolHeader.of(request.channel());
        ByteString id = header.uniqueId();
        return HttpResponses.text("from " + request.source().address() + " to "
                + OriginalAddress.destinationOf(request.channel()) + (header.isLocal() ? " local" : "")
                + (id == null ? "" : " id " + id.toString(ISO_8859_1)) + "\n");
    }

    /** Sends a request the way a proxy does, and returns the server's report. */
    private static String ask(ReverseProxy proxy, String preamble) throws IOException {
        return ask(proxy.connect(), preamble);
    }

    private static String ask(SocketChannel connected, String preamble) throws IOException {
        try (SocketChannel client = connected) {
            client.write(ByteBuffer.wrap((preamble + REQUEST).getBytes(ISO_8859_1)));
            String answer = new String(Channels.newInputStream(client).readAllBytes(), ISO_8859_1);
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
            return answer.substring(answer.indexOf("\r\n\r\n") + 4).strip();
        }
    }

    private String haproxy(Path socket, String mode, String options) {
        return """
                global
                    maxconn 64
                defaults
                    mode %s
                    timeout connect 20s
                    timeout client 20s
                    timeout server 20s
                frontend front
                    bind unix@%s accept-proxy
                    unique-id-format connection-7
                    default_backend back
                backend back
                    server freshet 127.0.0.1:%d %s
                """.formatted(mode, socket, port, options);
    }

    @ParameterizedTest
    @CsvSource({
        "tcp, send-proxy",
        "tcp, send-proxy-v2",
        "tcp, send-proxy-v2 proxy-v2-options crc32c",
        "http, send-proxy",
        "http, send-proxy-v2 proxy-v2-options crc32c",
        "http, 'send-proxy-v2 proxy-v2-options crc32c,unique-id,authority,ssl,cert-cn'",
    })
    void shouldUnderstandHaproxy(String mode, String options) throws Exception {
        try (ReverseProxy proxy =
                new ReverseProxy(ReverseProxy.Kind.HAPROXY, socket -> haproxy(socket, mode, options), folder)) {
            String id = options.contains("unique-id") ? " id connection-7" : "";
            assertEquals("from /203.0.113.7:4711 to /198.51.100.1:443" + id, ask(proxy, CLIENT));
            assertEquals(
                    "from /[2001:db8:0:0:0:0:0:7]:4711 to /[2001:db8:0:0:0:0:0:1]:443" + id,
                    ask(proxy, "PROXY TCP6 2001:db8::7 2001:db8::1 4711 443\r\n"));
        }
    }

    /** This counts as a connection of the proxy itself. */
    @ParameterizedTest
    @ValueSource(strings = {"send-proxy", "send-proxy-v2"})
    void shouldServeAClientUnknownToHaproxy(String options) throws Exception {
        try (ReverseProxy proxy =
                new ReverseProxy(ReverseProxy.Kind.HAPROXY, socket -> haproxy(socket, "tcp", options), folder)) {
            String answer = ask(proxy, "PROXY UNKNOWN\r\n");
            assertTrue(answer.startsWith("from /127.0.0.1:"), answer);
        }
    }

    /** It sends its own address, so it has to listen on TCP. On that address, no other test looks for a free port. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldUnderstandNginx() throws Exception {
        assumeTrue(Files.exists(STREAM_MODULE), "nginx has no stream module");
        InetSocketAddress address;
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getByName("127.77.0.1"))) {
            address = (InetSocketAddress) probe.getLocalSocketAddress();
        }
        String configuration = """
                load_module %1$s;
                daemon off;
                master_process off;
                pid pid;
                error_log error.log;
                events { worker_connections 64; }
                stream {
                    server {
                        listen unix:%2$s;
                        listen 127.77.0.1:%3$d proxy_protocol;
                        set_real_ip_from 127.0.0.0/8;
                        proxy_pass 127.0.0.1:%4$d;
                        proxy_protocol on;
                    }
                }
                """;
        try (ReverseProxy proxy = new ReverseProxy(
                ReverseProxy.Kind.NGINX,
                socket -> configuration.formatted(STREAM_MODULE, socket, address.getPort(), port),
                folder)) {
            String to = " to /127.77.0.1:" + address.getPort();
            assertEquals("from /203.0.113.7:4711" + to, ask(SocketChannel.open(address), CLIENT));
            assertTrue(ask(proxy, "").startsWith("from /127.0.0.1:")); // PROXY UNKNOWN
        }
    }

    @Test
    void shouldUnderstandCurl() throws Exception {
        ProcessBuilder command = new ProcessBuilder(
                "curl", "-sS", "--noproxy", "*", "--haproxy-protocol", "http://127.0.0.1:" + port + "/");
        Process curl;
        try {
            curl = command.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException e) {
            assumeTrue(false, "curl is not installed");
            return;
        }
        String answer = new String(curl.getInputStream().readAllBytes(), ISO_8859_1);
        assumeTrue(curl.waitFor() != 2, "curl is too old for --haproxy-protocol");
        assertTrue(answer.matches("from /127\\.0\\.0\\.1:\\d+ to /127\\.0\\.0\\.1:" + port + "\n"), answer);
    }
}
