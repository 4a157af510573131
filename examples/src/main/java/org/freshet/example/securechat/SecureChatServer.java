package org.freshet.example.securechat;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;

/** Passes lines of text between its clients, until it is stopped. */
public final class SecureChatServer {
    private static final int DEFAULT_PORT = 8443;
    private static final int MAX_LINE_BYTES = 1000;

    private SecureChatServer() {}

    public static void main(String[] args) throws CertificateException, SSLException {
        Arguments arguments = new Arguments("securechat-server [PORT]", 0, 1, args);
        SelfSignedCertificate certificate = new SelfSignedCertificate("localhost");
        ServerBootstrap bootstrap = newBootstrap(certificate);
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            System.out.println("chatting on " + server.getLocalAddress() + "; stop with Ctrl+C; join with");
            System.out.println("  openssl s_client -quiet -verify_return_error -CAfile " + certificate.certificate()
                    + " -connect localhost:" + port);
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    static ServerBootstrap newBootstrap(SelfSignedCertificate certificate) throws SSLException {
        SslContext context = SslContextBuilder.forServer(certificate.certificate(), certificate.privateKey())
                .build();
        ChannelHandler decoder = new StringDecoder(StandardCharsets.UTF_8);
        ChannelHandler encoder = new StringEncoder(StandardCharsets.UTF_8);
        ChannelHandler room = new ChatRoom(); // one instance for all, so that they meet
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                context.newHandler(), new LineBasedFrameDecoder(MAX_LINE_BYTES), decoder, encoder, room));
        bootstrap.setOption("child.tcpNoDelay", true);
        return bootstrap;
    }
}
