package org.freshet.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is logged about a connection that the peer resets if no handler handles exceptions. */
class LostConnectionTest {
    /** Each server transport once, because the peer is a plain socket; a local peer cannot reset. */
    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "OIO_OIO"})
    void shouldLogAResetInOneLine(Pair pair) throws Exception {
        CountDownLatch received = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        try (CapturedLog log = CapturedLog.start();
                Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), () -> new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    received.countDown();
                }

                @Override
                public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
                    closed.countDown();
                }
            });
            ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
            peer.send("x");
            Await.latch(received, "a message");
            peer.reset();
            Await.latch(closed, "the close");
            List<CapturedLog.Message> warnings = log.messages(InternalLogLevel.WARN);
            assertEquals(1, warnings.size(), warnings::toString);
            assertNull(warnings.get(0).cause());
            assertTrue(warnings.get(0).text().contains("Connection reset"), warnings::toString);
        }
    }
}
