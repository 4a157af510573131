package org.freshet.handler.ssl;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.net.UnixDomainSocketAddress;
import javax.net.ssl.SSLException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioUnixClientChannelFactory;
import org.freshet.channel.socket.nio.NioUnixServerChannelFactory;
import org.freshet.testing.Await;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.UnixPaths;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TLS over a Unix domain socket, whose address does not name a server. */
@Tag("crypto")
class UnixSocketTlsTest {
    private final UnixDomainSocketAddress address = UnixPaths.free();
    private final Rig rig = new Rig(new NioUnixServerChannelFactory(1), new NioUnixClientChannelFactory(1));

    @BeforeEach
    void serve() throws Exception {
        SslContext context = Certificates.server().build();
        rig.server().setPipelineFactory(() -> Channels.pipeline(context.newHandler(), new Echo()));
        rig.server().bind(address);
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private Channel connect(ChannelHandler... handlers) {
        return rig.connect(address, handlers);
    }

    @Test
    void shouldVerifyTheServerThatTheClientNames() throws Exception {
        SslContext context = Certificates.client().build();
        Recorder received = new Recorder();
        SslHandler tls = context.newHandler("localhost", 443);
        Channel client = connect(tls, received);
        Await.success(tls.handshake(), "the handshake");
        client.write(wrappedBuffer("hello".getBytes()));
        received.awaitText("hello");
    }

    @Test
    void shouldRefuseAServerWithAnotherName() throws Exception {
        SslHandler tls = Certificates.client().build().newHandler("other.example", 443);
        connect(tls, new Recorder());
        assertInstanceOf(SSLException.class, Await.failure(tls.handshake(), "the handshake"));
    }

    @Test
    void shouldFailWithoutANameToVerify() throws Exception {
        SslHandler tls = Certificates.client().build().newHandler();
        connect(tls, new Recorder());
        assertInstanceOf(SSLException.class, Await.failure(tls.handshake(), "the handshake"));
    }
}
