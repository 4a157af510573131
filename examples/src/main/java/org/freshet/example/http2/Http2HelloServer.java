package org.freshet.example.http2;

import java.net.InetSocketAddress;
import java.security.cert.CertificateException;
import java.util.List;
import javax.net.ssl.SSLException;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpContentCompressor;
import org.freshet.handler.codec.http.server.LingeringCloseHandler;
import org.freshet.handler.codec.http2.HttpServerChooser;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.handler.timeout.ReadTimeoutHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/**
 * Serves HTTP/1.1 and HTTP/2 until it is stopped: without TLS on one port, with TLS on the next. Try
 * {@code curl --http2-prior-knowledge localhost:8080} and {@code curl -k https://localhost:8081}.
 */
public final class Http2HelloServer {
    private static final int DEFAULT_PORT = 8080;
    private static final int MAX_CONTENT_LENGTH = 65536;
    private static final int SILENCE_SECONDS = 60;

    private Http2HelloServer() {}

    public static void main(String[] args) throws CertificateException, SSLException {
        Arguments arguments = new Arguments("http2-hello-server [PORT]", 0, 1, args);
        Timer timer = new HashedWheelTimer();
        try {
            Channel clear = newBootstrap(timer, null).bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            int port = ((InetSocketAddress) clear.getLocalAddress()).getPort();
            int securePort = arguments.port(0, DEFAULT_PORT) == 0 ? 0 : port + 1;
            Channel secure = newBootstrap(timer, selfSigned()).bind(new InetSocketAddress(securePort));
            System.out.println("saying hello without TLS on " + clear.getLocalAddress() + ", with TLS on "
                    + secure.getLocalAddress() + "; stop with Ctrl+C");
            System.out.println("  curl --http2-prior-knowledge http://localhost:" + port);
            System.out.println("  curl http://localhost:" + port);
            System.out.println(
                    "  curl -k https://localhost:" + ((InetSocketAddress) secure.getLocalAddress()).getPort());
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static SslContext selfSigned() throws CertificateException, SSLException {
        SelfSignedCertificate certificate = new SelfSignedCertificate("localhost");
        return SslContextBuilder.forServer(List.of(certificate.cert()), certificate.key())
                .applicationProtocols("h2", "http/1.1")
                .build();
    }

    /**
     * @param timer for the time-outs of idle connections; the caller stops it
     * @param ssl null for a server without TLS
     */
    static ServerBootstrap newBootstrap(Timer timer, SslContext ssl) {
        ChannelHandler hello = new Http2HelloHandler();
        // For each HTTP/1.1 connection, and for each HTTP/2 request.
        ChannelPipelineFactory requests = () ->
                Channels.pipeline(new HttpContentCompressor(), new HttpChunkAggregator(MAX_CONTENT_LENGTH), hello);
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            pipeline.addLast("timeout", new ReadTimeoutHandler(timer, SILENCE_SECONDS));
            if (ssl != null) {
                pipeline.addLast("ssl", ssl.newHandler());
            }
            pipeline.addLast("close", new LingeringCloseHandler(timer)); // lets a client read why it is refused
            pipeline.addLast("http", new HttpServerChooser(requests));
            return pipeline;
        });
        bootstrap.setOption("child.tcpNoDelay", true);
        return bootstrap;
    }
}
