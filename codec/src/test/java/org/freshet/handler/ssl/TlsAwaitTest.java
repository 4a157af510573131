package org.freshet.handler.ssl;

import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler above TLS that awaits, on its I/O thread, its write and the close: both complete immediately. */
@Tag("crypto")
@ParameterizedClass
@EnumSource(Transport.class)
class TlsAwaitTest extends TlsSockets {
    TlsAwaitTest(Transport transport) {
        super(transport);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldCompleteAWriteAndACloseThatAHandlerAwaits(String protocol) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Channel server = serve(Certificates.server().protocols(protocol), new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                try {
                    awaitSuccess(ctx.getChannel().write(copiedBuffer("answer", StandardCharsets.US_ASCII)));
                    awaitSuccess(ctx.getChannel().close());
                    assertFalse(ctx.getChannel().isOpen());
                    done.complete(null);
                } catch (Throwable t) {
                    done.completeExceptionally(t);
                }
            }
        });
        try (SSLSocket client = socket(server)) {
            write(client, new byte[1]);
            Await.result(done, "the handler");
            assertArrayEquals(
                    "answer".getBytes(StandardCharsets.US_ASCII),
                    client.getInputStream().readAllBytes());
        }
    }

    private static void awaitSuccess(ChannelFuture future) {
        future.awaitUninterruptibly();
        assertTrue(future.isSuccess(), () -> "" + future);
    }
}
