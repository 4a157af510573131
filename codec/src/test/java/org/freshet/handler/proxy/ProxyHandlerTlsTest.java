package org.freshet.handler.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.JdkSslContext;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Await;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("crypto")
class ProxyHandlerTlsTest extends ProxyConversation {
    /** Relays to the TLS server, which is the target behind the proxy. */
    private void relay(ScriptedPeer peer, SocketAddress target) throws IOException {
        try (ScriptedPeer back = ScriptedPeer.connect(target)) {
            Thread upward = new Thread(() -> {
                try {
                    peer.socket().getInputStream().transferTo(back.socket().getOutputStream());
                    back.endOutput();
                } catch (IOException e) {
                    // the test checks the client
                }
            });
            upward.start();
            try {
                back.socket().getInputStream().transferTo(peer.socket().getOutputStream());
                peer.endOutput();
            } finally {
                Await.end(upward);
            }
        }
    }

    @Test
    void shouldVerifyTheTargetThroughTheTunnel() throws Exception {
        for (boolean later : new boolean[] {false, true}) {
            assertNull(tlsThroughTheTunnel("target.invalid", later));
            assertInstanceOf(SSLHandshakeException.class, tlsThroughTheTunnel("other.invalid", later));
            assertInstanceOf(SSLHandshakeException.class, tlsThroughTheTunnel("localhost", later));
        }
    }

    /** The Netty 3 way: the handler is added after the tunnel is open, and has not seen the address of the connect. */
    private static ChannelHandler tlsAddedLater(SslHandler tls) {
        return new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ctx.getPipeline().addBefore(ctx.getName(), "tls", tls);
                ctx.sendUpstream(e);
            }
        };
    }

    private static SslHandler namelessTls(SslContext clients) {
        SSLEngine engine = ((JdkSslContext) clients).context().createSSLEngine();
        engine.setUseClientMode(true);
        SslHandler handler = new SslHandler(engine);
        handler.setIssueHandshake(true);
        return handler;
    }

    /** Returns the handshake's failure; null if it succeeded and an echo was received. */
    private Throwable tlsThroughTheTunnel(String certified, boolean later) throws Exception {
        SelfSignedCertificate certificate = Certificates.named(certified);
        SslContext servers = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .build();
        SslContext clients =
                SslContextBuilder.forClient().trust(certificate.cert()).build();
        try (Rig target = new Rig(new NioServerSocketChannelFactory(), new NioClientSocketChannelFactory())) {
            target.server().setPipelineFactory(() -> Channels.pipeline(servers.newHandler(), new Echo()));
            Channel server = target.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SslHandler tls = later ? namelessTls(clients) : clients.newHandler();
            Recorder recorder = new Recorder();
            ChannelHandler second = later ? tlsAddedLater(tls) : tls;
            ChannelFuture connected = connecting(new Socks4ProxyHandler(proxy.address()), second, recorder);
            if (!later) { // otherwise it would be sent in plaintext
                connected.getChannel().write(copiedBuffer("secret", ISO_8859_1));
            }
            try (ScriptedPeer peer = proxy.accept()) {
                readSocks4Request(peer);
                peer.send(bytes("005a000000000000"));
                Thread relaying = new Thread(() -> {
                    try {
                        relay(peer, server.getLocalAddress());
                    } catch (IOException e) {
                        // the test checks the client
                    }
                });
                relaying.start();
                Await.success(connected, "the tunnel");
                if (later) {
                    Await.until(() -> recorder.states().contains("connected"), "the TLS handler to be added");
                    connected.getChannel().write(copiedBuffer("secret", ISO_8859_1));
                }
                Throwable failure = Await.done(tls.handshake(), "the handshake").getCause();
                if (failure == null) {
                    recorder.awaitText("secret");
                    assertEquals("secret", recorder.text());
                }
                connected.getChannel().close();
                recorder.awaitClosed();
                Await.end(relaying);
                return failure;
            }
        }
    }
}
