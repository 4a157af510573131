package org.freshet.handler.codec.compression;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** The blocking transport, while a thread writes more than the peer reads. */
class ZlibBlockedWriterTest {
    private static final int SOCKET_BUFFER_BYTES = 32 * 1024;
    private static final int MORE_THAN_A_SOCKET_TAKES = 1024 * 1024;

    private final CompletableFuture<Channel> accepted = new CompletableFuture<>();

    private final class Application extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            accepted.complete(ctx.getChannel());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    @Test
    void shouldCloseAlthoughAWriteIsBlocked() throws Exception {
        byte[] content = new byte[MORE_THAN_A_SOCKET_TAKES];
        Seeds.random().nextBytes(content);
        try (Rig rig = new Rig(new OioServerSocketChannelFactory(), new OioClientSocketChannelFactory())) {
            rig.server().setPipelineFactory(() -> Channels.pipeline(new ZlibEncoder(), new Application()));
            rig.server().setOption("child.sendBufferSize", SOCKET_BUFFER_BYTES);
            Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress(), SOCKET_BUFFER_BYTES)) {
                peer.send("a message");
                Channel channel = Await.result(accepted, "the connection");
                CompletableFuture<ChannelFuture> written = new CompletableFuture<>();
                Thread writer =
                        new Thread(() -> written.complete(channel.write(ChannelBuffers.wrappedBuffer(content))));
                writer.start();
                Await.until(() -> WriteAccount.waitingBytes(channel) > 0, "the message that isn't read");
                channel.close();
                Await.done(channel.getCloseFuture(), "the close");
                Await.end(writer);
                Await.failure(Await.result(written, "the write"), "the message that wasn't read");
            }
        }
    }
}
