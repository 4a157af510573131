package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server ends a session because of an error, while its client is still sending. */
class SpdySessionErrorTest {
    private static final int GOAWAY_BYTES = 16;

    /** Goes on after the session has ended, and is more than a socket's buffers hold. */
    private static final int UPLOAD_BYTES = 16 * 1024 * 1024;

    /** WINDOW_UPDATE of the session with an increment of 0: an error of the session. */
    private static final byte[] SESSION_ERROR = {(byte) 0x80, 3, 0, 9, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0};

    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile CloseReason reason;

    private final class Application extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            reason = e.getChannel().getCloseReason();
            closed.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLetAClientThatIsStillSendingReadTheGoAway(SocketTransport transport) throws Exception {
        try (Rig rig = transport.newRig()) {
            rig.server()
                    .setPipelineFactory(() -> Channels.pipeline(
                            new SpdyFrameCodec(SpdyVersion.SPDY_3_1),
                            new SpdySessionHandler(SpdyVersion.SPDY_3_1, true),
                            new Application()));
            Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send(SESSION_ERROR);
                peer.send(new byte[UPLOAD_BYTES]);
                peer.endOutput();
                ChannelBuffer received = ChannelBuffers.wrappedBuffer(peer.readToEnd());
                assertEquals(GOAWAY_BYTES, received.readableBytes());
                assertEquals(0x80030007, received.getInt(0));
            }
            Await.latch(closed, "the close");
            assertEquals(CloseReason.Kind.PROTOCOL, reason.kind());
        }
    }
}
