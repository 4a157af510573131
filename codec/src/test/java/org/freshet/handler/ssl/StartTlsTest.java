package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.ssl.Bytes.text;
import static org.freshet.handler.ssl.TlsPair.TLS_1_2;
import static org.freshet.handler.ssl.TlsPair.TLS_1_3;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelFuture;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS on a connection that was plaintext before. */
@Tag("crypto")
class StartTlsTest {
    @Test
    void shouldPassTheFirstWriteOfStartTls() throws Exception {
        SslContext context = Certificates.server().build();
        MemoryChannel server = MemoryChannel.connected();
        SslHandler handler = new SslHandler(context.newEngine(), true);
        server.getPipeline().addFirst("tls", handler);
        server.write(text("go ahead"));
        assertEquals(List.of(text("go ahead")), server.takeWritten());
        ChannelFuture second = server.write(text("encrypted"));
        assertEquals(List.of(), server.takeWritten());
        assertFalse(second.isDone());
    }

    @ParameterizedTest
    @ValueSource(strings = {TLS_1_2, TLS_1_3})
    void shouldStartTlsOnAConnectionInUse(String protocol) throws Exception {
        MemoryChannel client = MemoryChannel.connected();
        MemoryChannel server = MemoryChannel.connected();
        client.write(text("start"));
        server.receive((ChannelBuffer) client.takeWritten().get(0));
        assertEquals("start", TlsPair.received(server).toString(US_ASCII));
        SslHandler serverHandler =
                new SslHandler(Certificates.server().protocols(protocol).build().newEngine(), true);
        server.getPipeline().addFirst("tls", serverHandler);
        server.write(text("go ahead"));
        client.receive((ChannelBuffer) server.takeWritten().get(0));
        assertEquals("go ahead", TlsPair.received(client).toString(US_ASCII));
        SslHandler clientHandler = Certificates.client().build().newHandler("localhost", 1);
        client.getPipeline().addFirst("tls", clientHandler);
        TlsPair pair = new TlsPair(clientHandler, client, serverHandler, server, () -> 100).established();
        assertEquals(protocol, clientHandler.getEngine().getSession().getProtocol());
        client.write(text("secret"));
        server.write(text("also secret"));
        pair.pump();
        assertEquals("secret", TlsPair.received(server).toString(US_ASCII));
        assertEquals("also secret", TlsPair.received(client).toString(US_ASCII));
        pair.assertNothingCaught();
    }

    @Test
    void shouldBeAddedToAnExistingConnection() throws Exception {
        SslHandler clientHandler = Certificates.client().build().newHandler("localhost", 1);
        SslHandler serverHandler = Certificates.server().build().newHandler();
        MemoryChannel client = MemoryChannel.connected();
        client.getPipeline().addFirst("tls", clientHandler);
        assertEquals(1, client.takeWritten().size(), "the handshake starts");
        MemoryChannel server = MemoryChannel.connected();
        server.getPipeline().addFirst("tls", serverHandler);
        server.close();
        assertInstanceOf(ClosedChannelException.class, serverHandler.handshake().getCause());
    }
}
