package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocket;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server ends the output of a TLS connection and keeps reading, tested with the JDK's own sockets. */
@Tag("crypto")
@ParameterizedClass
@EnumSource(Transport.class)
class TlsOutputShutdownTest extends TlsSockets {
    TlsOutputShutdownTest(Transport transport) {
        super(transport);
    }

    /** Answers the first message, and ends the output. */
    @Sharable
    private static final class Answerer extends SimpleChannelUpstreamHandler {
        private final StringBuffer received = new StringBuffer();
        private final CountDownLatch closed = new CountDownLatch(1);
        private volatile Channel channel;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            channel = ctx.getChannel();
            received.append(((ChannelBuffer) e.getMessage()).toString(ISO_8859_1));
            if (received.length() == 1) {
                ctx.getChannel().write(Bytes.text("answer"));
                Channels.shutdownOutput(ctx.getChannel());
            }
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            closed.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldLetTheClientReadTheAnswerAndItsEnd(String protocol) throws Exception {
        Answerer answerer = new Answerer();
        try (SSLSocket client = socket(serve(Certificates.server().protocols(protocol), answerer))) {
            client.getOutputStream().write('x');
            assertEquals("answer", new String(client.getInputStream().readAllBytes(), ISO_8859_1));
        }
        Await.latch(answerer.closed, "the close");
        assertTrue(caught.isEmpty(), () -> "caught " + caught);
    }

    /** In TLS 1.3 each direction closes separately. */
    @Test
    void shouldKeepReadingAfterTheEnd() throws Exception {
        Answerer answerer = new Answerer();
        try (SSLSocket client = socket(serve(Certificates.server().protocols("TLSv1.3"), answerer))) {
            client.getOutputStream().write('x');
            assertEquals("answer", new String(client.getInputStream().readAllBytes(), ISO_8859_1));
            write(client, "still sending".getBytes(ISO_8859_1));
            Await.until(() -> answerer.received.length() == 14, () -> "the rest; received " + answerer.received);
        }
        Await.latch(answerer.closed, "the close");
    }

    /** In this case the transport closes by itself after the received bytes are read. */
    @Test
    void shouldKeepReadingAfterTheEndWhenAWriteFindsTheConnectionLost() throws Exception {
        Answerer answerer = new Answerer();
        try (SSLSocket client = socket(serve(Certificates.server().protocols("TLSv1.3"), answerer))) {
            client.getOutputStream().write('x');
            assertEquals("answer", new String(client.getInputStream().readAllBytes(), ISO_8859_1));
            Channels.fireExceptionCaught(answerer.channel, new IOException("Broken pipe"));
            write(client, "had arrived".getBytes(ISO_8859_1));
            Await.until(
                    () -> answerer.received.length() == 12 || !answerer.channel.isOpen(),
                    () -> "the rest; received " + answerer.received);
        }
        Await.latch(answerer.closed, "the close");
        assertEquals("xhad arrived", answerer.received.toString());
        assertTrue(caught.isEmpty(), () -> "caught " + caught);
    }
}
