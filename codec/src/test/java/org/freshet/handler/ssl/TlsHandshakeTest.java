package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.ssl.Bytes.text;
import static org.freshet.handler.ssl.TlsPair.TLS_1_2;
import static org.freshet.handler.ssl.TlsPair.TLS_1_3;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a handshake starts, what the sides negotiate, and what happens if they cannot agree. */
@Tag("crypto")
class TlsHandshakeTest {
    @Test
    void shouldSendTheConnectedEventAfterIssuingTheHandshake() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        assertFalse(hasBecomeConnected(pair.client));
        assertTrue(hasBecomeConnected(pair.server));
        pair.established();
        assertTrue(hasBecomeConnected(pair.client));
    }

    private static boolean hasBecomeConnected(MemoryChannel channel) {
        return channel.takeUpstream().stream()
                .anyMatch(e -> e instanceof ChannelStateEvent s
                        && s.getState() == ChannelState.CONNECTED
                        && s.getValue() != null);
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldStartTheHandshakeWithTheFirstWrite(String protocol) throws Exception {
        SslHandler client = Certificates.client().protocols(protocol).build().newHandler("localhost", 1);
        client.setIssueHandshake(false);
        TlsPair pair = new TlsPair(client, Certificates.server().build().newHandler(), () -> 100);
        pair.pump();
        assertEquals(0, pair.deliveries);
        pair.server.write(text("server first"));
        ChannelFuture written = pair.client.write(text("client"));
        assertFalse(written.isDone());
        pair.established();
        assertTrue(written.isSuccess());
        assertEquals("client", TlsPair.received(pair.server).toString(US_ASCII));
        assertEquals("server first", TlsPair.received(pair.client).toString(US_ASCII));
    }

    @Test
    void shouldStartTheHandshakeWhenRequestedBeforeTheConnection() throws Exception {
        SslHandler handler = Certificates.client().build().newHandler("localhost", 1);
        handler.setIssueHandshake(false);
        assertThrows(IllegalStateException.class, handler::handshake);
        MemoryChannel channel = MemoryChannel.open(handler);
        ChannelFuture handshake = handler.handshake();
        assertEquals(List.of(), channel.takeWritten());
        channel.connect(new java.net.InetSocketAddress("localhost", 1));
        assertEquals(1, channel.takeWritten().size());
        assertFalse(handshake.isDone());
        assertSame(channel, handshake.getChannel());
        channel.close();
        assertInstanceOf(ClosedChannelException.class, handshake.getCause());
    }

    @Test
    void shouldAnswerALaterHandshakeRequestWithTheFirstHandshake() throws Exception {
        TlsPair pair = TlsPair.of(TLS_1_3);
        pair.clientHandler.setEnableRenegotiation(true);
        ChannelFuture handshake = pair.clientHandler.handshake();
        pair.established();
        assertSame(handshake, pair.clientHandler.handshake());
        pair.pump();
        assertTrue(pair.client.isOpen());
    }

    @Test
    void shouldFailTheHandshakeWhenTheCertificateIsNotTrusted() throws Exception {
        TlsPair pair = TlsPair.of(SslContextBuilder.forClient(), Certificates.server(), () -> 100);
        ChannelFuture written = pair.client.write(text("secret"));
        pair.pump();
        Throwable cause = pair.clientHandler.handshake().getCause();
        assertInstanceOf(SSLHandshakeException.class, cause);
        assertSame(cause, written.getCause());
        assertEquals(List.of(cause), pair.client.takeCaught());
        assertFalse(pair.client.isOpen());
        String alert = pair.serverHandler.handshake().getCause().getMessage();
        assertTrue(alert.contains("certificate_unknown"), alert);
        assertFalse(pair.server.isOpen());
    }

    @Test
    void shouldLeaveTheChannelOpenIfConfigured() throws Exception {
        SslHandler client = SslContextBuilder.forClient().build().newHandler("localhost", 1);
        client.setCloseOnSSLException(false);
        assertFalse(client.getCloseOnSSLException());
        TlsPair pair = new TlsPair(client, Certificates.server().build().newHandler(), () -> 100);
        assertThrows(IllegalStateException.class, () -> client.setCloseOnSSLException(true));
        pair.pump();
        assertInstanceOf(SSLHandshakeException.class, client.handshake().getCause());
        assertTrue(pair.client.isOpen());
        assertInstanceOf(
                ClosedChannelException.class, pair.client.write(text("late")).getCause());
        pair.client.close();
        assertFalse(pair.client.isOpen());
    }

    @Test
    void shouldAskClientsForCertificates() throws Exception {
        SslContextBuilder server =
                Certificates.server().trust(Certificates.OTHER.cert()).clientAuth(ClientAuth.REQUIRE);
        TlsPair known = TlsPair.of(
                Certificates.client().key(Certificates.OTHER.certificate(), Certificates.OTHER.privateKey(), null),
                server,
                () -> 1000);
        known.established();
        assertEquals(
                Certificates.OTHER.cert(),
                known.serverHandler.getEngine().getSession().getPeerCertificates()[0]);
        TlsPair unknown = TlsPair.of(Certificates.client(), server, () -> 1000);
        unknown.pump();
        assertInstanceOf(
                SSLHandshakeException.class, unknown.serverHandler.handshake().getCause());
        assertFalse(unknown.client.isOpen());
        TlsPair optional = TlsPair.of(Certificates.client(), server.clientAuth(ClientAuth.OPTIONAL), () -> 1000);
        optional.established();
    }

    @Test
    void shouldNegotiateAnApplicationProtocol() throws Exception {
        TlsPair pair = TlsPair.of(
                        Certificates.client().applicationProtocols("http/1.1", "h2"),
                        Certificates.server().applicationProtocols("h2", "http/1.1"),
                        () -> 1000)
                .established();
        assertEquals("h2", pair.serverHandler.getEngine().getApplicationProtocol());
        assertEquals("h2", pair.clientHandler.getEngine().getApplicationProtocol());
        TlsPair none = TlsPair.of(Certificates.client(), Certificates.server().applicationProtocols("h2"), () -> 1000)
                .established();
        assertEquals("", none.clientHandler.getEngine().getApplicationProtocol());
        TlsPair disjoint = TlsPair.of(
                Certificates.client().applicationProtocols("spdy/3"),
                Certificates.server().applicationProtocols("h2"),
                () -> 1000);
        disjoint.pump();
        assertFalse(disjoint.serverHandler.handshake().isSuccess());
        assertFalse(disjoint.client.isOpen());
    }
}
