package org.freshet.handler.codec.http.websocketx;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Encoded frames on a channel that has reached its limit. */
class WebSocketOverflowTest {
    private static final int LIMIT = 64 * 1024;
    private static final int MORE_THAN_A_SOCKET_TAKES = 16 * 1024 * 1024;

    @Test
    void shouldCloseAfterAQueuedFrameEvenIfTheLimitIsReached() throws Exception {
        try (Rig rig = new Rig(new OioServerSocketChannelFactory(), new OioClientSocketChannelFactory());
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            WebSocketExtension deflate = PerMessageDeflate.defaults()
                    .agree(new WebSocketExtensionSpec("permessage-deflate", List.of()), HttpLimits.defaults());
            Channel channel =
                    rig.connect(server.getLocalSocketAddress(), new WebSocket08FrameEncoder(true, List.of(deflate)));
            channel.getConfig().setOption("writeBufferLimit", LIMIT);
            channel.getConfig().setOption("writeOverflow", WriteOverflow.FAIL);
            byte[] content = new byte[MORE_THAN_A_SOCKET_TAKES];
            Seeds.random().nextBytes(content);
            Thread writer = new Thread(
                    () -> channel.write(new BinaryWebSocketFrame(false, 0, ChannelBuffers.wrappedBuffer(content))));
            writer.start();
            Await.until(() -> WriteAccount.waitingBytes(channel) > LIMIT, "the frame that the peer does not read");

            Thread closer = new Thread(channel::close);
            closer.start();
            Await.end(closer);
            Await.end(writer);
            Await.success(channel.getCloseFuture(), "the close");
        }
    }
}
