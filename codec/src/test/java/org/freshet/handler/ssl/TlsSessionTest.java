package org.freshet.handler.ssl;

import static org.freshet.handler.ssl.TlsPair.TLS_1_2;
import static org.freshet.handler.ssl.TlsPair.TLS_1_3;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that reconnects can skip the full handshake. */
@Tag("crypto")
class TlsSessionTest {
    @Test
    void shouldResumeSessions() throws Exception {
        SslContext client = Certificates.client().protocols(TLS_1_2).build();
        SslContext server = Certificates.server().build();
        byte[] first = session(client, server);
        assertEquals(32, first.length);
        assertEquals(ChannelBuffers.wrappedBuffer(first), ChannelBuffers.wrappedBuffer(session(client, server)));
    }

    private static byte[] session(SslContext client, SslContext server) {
        TlsPair pair = new TlsPair(client.newHandler("localhost", 1), server.newHandler(), () -> 500).established();
        byte[] id = pair.clientHandler.getEngine().getSession().getId();
        pair.client.close();
        pair.pump();
        return id;
    }

    /** TLS 1.3 has no ids to compare, but a server's certificate is checked only if no session is resumed. */
    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldCheckAServerOncePerSession(String protocol) throws Exception {
        AtomicInteger looked = new AtomicInteger();
        SslContext client = SslContextBuilder.forClient()
                .trust(new LookingTrust(looked::incrementAndGet))
                .protocols(protocol)
                .build();
        SslContext server = Certificates.server().build();
        for (int i = 0; i < 3; i++) {
            new TlsPair(client.newHandler("localhost", 1), server.newHandler(), () -> 500).established();
        }
        assertEquals(1, looked.get());
        new TlsPair(client.newHandler("localhost", 2), server.newHandler(), () -> 500).established();
        assertEquals(2, looked.get(), "another port is another server");
    }
}
