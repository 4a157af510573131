package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.Choices.has;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.security.cert.CertificateException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client and a server choose by ALPN, over TLS of the JDK but without sockets. */
class ProtocolChoiceTest {
    private static final SelfSignedCertificate CERTIFICATE = certificate();

    private final StreamLog log = new StreamLog();
    private final Http2Settings settings =
            Http2Settings.defaults().toBuilder().timer(new FakeTimer()).build();

    private static SelfSignedCertificate certificate() {
        try {
            return new SelfSignedCertificate("localhost");
        } catch (CertificateException e) {
            throw new AssertionError(e);
        }
    }

    private SslHandler tls(boolean isServer, String protocols) throws Exception {
        SslContextBuilder builder = isServer
                ? SslContextBuilder.forServer(CERTIFICATE.key(), CERTIFICATE.cert())
                : SslContextBuilder.forClient().trust(CERTIFICATE.cert());
        SslContextBuilder speaking = builder.applicationProtocols(protocols.split(" "));
        return isServer ? speaking.build().newHandler() : speaking.build().newHandler("localhost", 1);
    }

    private static void pump(MemoryChannel one, MemoryChannel other) {
        while (deliver(one, other) | deliver(other, one)) {
            // each delivery may cause another one
        }
    }

    private static boolean deliver(MemoryChannel from, MemoryChannel to) {
        List<Object> written = from.takeWritten();
        written.forEach(bytes -> to.receive((ChannelBuffer) bytes));
        return !written.isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"h2 http/1.1, h2 http/1.1, true", "http/1.1, h2 http/1.1, false"})
    void shouldBeWhatBothSupport(String ofServer, String ofClient, boolean isHttp2) throws Exception {
        HttpClientChooser chooser = new HttpClientChooser(log::pipeline);
        HttpServerChooser serverChooser = new HttpServerChooser(log::pipeline, settings);
        MemoryChannel server = MemoryChannel.connected(tls(true, ofServer), serverChooser);
        MemoryChannel client = MemoryChannel.connected(tls(false, ofClient), chooser);
        CompletableFuture<Channel> opened = chooser.open().toCompletableFuture();
        assertFalse(opened.isDone());
        pump(client, server);
        assertEquals(isHttp2, chooser.isHttp2());
        assertEquals(isHttp2, has(client, Http2ClientHandler.class));
        assertEquals(!isHttp2, has(client, HttpClientCodec.class));
        Channel channel = opened.getNow(null);
        assertSame(client, isHttp2 ? channel.getParent() : channel);
        assertEquals(isHttp2, has(server, Http2ServerHandler.class), "the client's SETTINGS are its first bytes");
        assertNull(server.getPipeline().get(HttpServerCodec.class));
        client.close();
        server.close();
    }
}
