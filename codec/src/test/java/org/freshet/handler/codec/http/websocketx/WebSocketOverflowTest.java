package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Rig;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseIfAFragmentIsRefused(boolean isDeflated) throws Exception {
        MemoryChannel channel = MemoryChannel.connected(encoder(isDeflated));
        channel.write(new TextWebSocketFrame(false, 0, "no "));
        channel.takeWritten();
        fill(channel);
        ChannelFuture refused = Channels.future(channel);
        List<ChannelFuture> last = new ArrayList<>();
        refused.addListener(done -> last.add(channel.write(new ContinuationWebSocketFrame(true, 0, "transfer it"))));
        channel.getPipeline()
                .sendDownstream(new DownstreamMessageEvent(
                        channel, refused, new ContinuationWebSocketFrame(false, 0, "do not "), null));

        assertInstanceOf(WriteOverflowException.class, refused.getCause());
        assertFalse(last.get(0).isSuccess());
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.OVERFLOW, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeWritten());
    }

    @Test
    void shouldStayOpenIfAWholeMessageIsRefused() throws Exception {
        MemoryChannel channel = MemoryChannel.connected(encoder(false));
        fill(channel);
        assertInstanceOf(
                WriteOverflowException.class,
                channel.write(new TextWebSocketFrame("refused")).getCause());
        assertTrue(channel.isOpen());
    }

    private static WebSocket08FrameEncoder encoder(boolean isDeflated) throws Exception {
        WebSocketExtension deflate = PerMessageDeflate.defaults()
                .agree(new WebSocketExtensionSpec("permessage-deflate", List.of()), HttpLimits.defaults());
        return new WebSocket08FrameEncoder(true, isDeflated ? List.of(deflate) : List.of());
    }

    private static void fill(MemoryChannel channel) {
        channel.holdWrites();
        channel.turnWritable(false);
        channel.limit((int) WriteAccount.waitingBytes(channel), WriteOverflow.FAIL);
    }
}
