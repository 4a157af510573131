package org.freshet.example.tlsreload;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslHandler;

/** One connection to the server; remembers the certificate it was made with. */
final class Visitor {
    private static final int SECONDS = 10;

    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final SslHandler tls;
    private final Channel channel;

    Visitor(ClientBootstrap bootstrap, InetSocketAddress server, SslContext context) {
        tls = context.newHandler("localhost", server.getPort());
        SimpleChannelUpstreamHandler reader = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                answers.add(((ChannelBuffer) e.getMessage()).toString(US_ASCII));
            }
        };
        channel = bootstrap.getFactory().newChannel(Channels.pipeline(tls, reader));
        channel.connect(server).awaitUninterruptibly();
        tls.handshake().awaitUninterruptibly();
    }

    boolean sawCertificate(X509Certificate certificate) throws SSLPeerUnverifiedException {
        return tls.getEngine().getSession().getPeerCertificates()[0].equals(certificate);
    }

    boolean isAnswered() throws InterruptedException {
        channel.write(ChannelBuffers.copiedBuffer("hello", US_ASCII));
        return "hello".equals(answers.poll(SECONDS, TimeUnit.SECONDS));
    }

    void leave() {
        channel.close().awaitUninterruptibly();
    }
}
