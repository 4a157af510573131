package org.freshet.handler.codec.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;

/** What a decoder does with the bytes behind a frame on whose account its connection is closed, over a real socket. */
class CloseOnFailureTest {
    /** A digit fails once read, a letter unread; all else is a frame. */
    private static final class Choosy extends FrameDecoder {
        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
            char c = (char) buffer.getByte(buffer.readerIndex());
            if (Character.isLetter(c)) {
                throw new CorruptedFrameException("not read: " + c);
            }
            buffer.skipBytes(1);
            if (Character.isDigit(c)) {
                throw new CorruptedFrameException("read: " + c);
            }
            return c;
        }
    }

    /** Notes what comes and closes at the first failure. */
    private static final class Closer extends SimpleChannelUpstreamHandler {
        final List<Object> frames = new CopyOnWriteArrayList<>();
        final List<String> failures = new CopyOnWriteArrayList<>();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            frames.add(e.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            failures.add(e.getCause().getMessage());
            e.getChannel().close();
        }
    }

    private static Closer receive(String text) throws Exception {
        Closer closer = new Closer();
        try (Rig rig = new Rig(new NioServerSocketChannelFactory(), new NioClientSocketChannelFactory())) {
            rig.server().setPipelineFactory(() -> Channels.pipeline(new Choosy(), closer));
            Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send(text).awaitEnd();
            }
            Await.success(server.close(), "the server's close");
        }
        return closer;
    }

    @Test
    void shouldDecodeNothingBehindTheFailureThatClosed() throws Exception {
        Closer closer = receive("..1.2.3.4567890.");
        assertEquals(List.of('.', '.'), closer.frames);
        assertEquals(List.of("read: 1"), closer.failures);
    }

    @Test
    void shouldNotDecodeAgainAtTheCloseWhatFailedUnread() throws Exception {
        Closer closer = receive("..a.b.c");
        assertEquals(List.of('.', '.'), closer.frames);
        assertEquals(List.of("not read: a"), closer.failures);
    }
}
