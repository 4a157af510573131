package org.freshet.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.telemetry.Explain;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an operator sees about connections, over every pair of transports. */
class ExplainMatrixTest {
    @ParameterizedTest
    @EnumSource
    void shouldShowTheSizeOfAnIncompleteFrameButNotItsContent(Pair pair) {
        CompletableFuture<Channel> accepted = new CompletableFuture<>();
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> new LineBasedFrameDecoder(100) {
                @Override
                public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
                    accepted.complete(ctx.getChannel());
                    super.channelConnected(ctx, e);
                }
            });
            Channel client = rig.connect(server.getLocalAddress());
            client.write(copiedBuffer("secret", ISO_8859_1));
            Channel channel = Await.result(accepted, "the connection");
            Await.until(() -> explain(channel).contains("unread bytes: 6\n"), () -> explain(channel));
            assertFalse(explain(channel).contains("secret"), explain(channel));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldListTheConnectionsOfAServer(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Recorder::new);
            for (int i = 0; i < 3; i++) {
                rig.connect(server.getLocalAddress());
            }
            Await.until(() -> connections(server, 10).lines().count() == 3, () -> connections(server, 10));
            List<String> two = connections(server, 2).lines().toList();
            assertTrue(two.get(0).endsWith(" connected, reading: on, writing: on, waiting bytes: 0"), two.get(0));
            assertEquals("and 1 more", two.get(2));
        }
    }

    private static String explain(Channel channel) {
        return Await.result(Explain.channel(channel), "the explanation");
    }

    private static String connections(Channel server, int max) {
        return Await.result(Explain.connections(server, max), "the list");
    }
}
