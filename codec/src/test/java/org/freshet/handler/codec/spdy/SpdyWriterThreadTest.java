package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.Test;

/** Threads that write to one stream in turn. */
class SpdyWriterThreadTest {
    private final List<Integer> lengths = new CopyOnWriteArrayList<>();

    private static void write(Channel session, int length) {
        SpdyDataFrame frame = new DefaultSpdyDataFrame(1);
        frame.setData(ChannelBuffers.wrappedBuffer(new byte[length]));
        session.write(frame);
    }

    private static SpdySynReplyFrame reply() {
        SpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(1);
        reply.headers().add("name", "value");
        return reply;
    }

    @Test
    void shouldSendTheFirstThreadsWritesBeforeTheIoThreadsLaterWrites() throws Exception {
        try (Rig rig = new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory())) {
            rig.server()
                    .setPipelineFactory(() -> Channels.pipeline(
                            new SpdyFrameCodec(SpdyVersion.SPDY_3_1),
                            new SpdySessionHandler(SpdyVersion.SPDY_3_1, true),
                            new SimpleChannelUpstreamHandler() {
                                @Override
                                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e)
                                        throws Exception {
                                    Channel session = e.getChannel();
                                    session.write(reply());
                                    Thread first = new Thread(() -> write(session, 1));
                                    first.start();
                                    first.join();
                                    write(session, 2);
                                }
                            }));
            request(rig);
            Await.until(() -> lengths.size() == 2, () -> "two frames: " + lengths);
            assertEquals(List.of(1, 2), lengths);
        }
    }

    /** Below a session: while the first data frame passes, another thread writes one, and then an event arrives. */
    private static final class Interruption extends SimpleChannelDownstreamHandler {
        private boolean isOver;

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            if (!isOver && e.getMessage() instanceof SpdyDataFrame) {
                isOver = true;
                Thread other = new Thread(() -> write(e.getChannel(), 2));
                other.start();
                other.join();
                Channels.fireWriteComplete(ctx, 1);
            }
            ctx.sendDownstream(e);
        }
    }

    @Test
    void shouldSendAFrameBeforeOthersWrittenWhileItPassesTheHandlersBelow() {
        try (Rig rig = new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory())) {
            rig.server()
                    .setPipelineFactory(() -> Channels.pipeline(
                            new SpdyFrameCodec(SpdyVersion.SPDY_3_1),
                            new Interruption(),
                            new SpdySessionHandler(SpdyVersion.SPDY_3_1, true),
                            new SimpleChannelUpstreamHandler() {
                                private boolean hasWritten;

                                @Override
                                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                                    e.getChannel().write(reply());
                                    write(e.getChannel(), 1);
                                }

                                @Override
                                public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
                                    if (!hasWritten && e.getWrittenAmount() == 1) {
                                        hasWritten = true;
                                        write(e.getChannel(), 3);
                                    }
                                }
                            }));
            request(rig);
            Await.until(() -> lengths.size() == 3, () -> "three frames: " + lengths);
            assertEquals(List.of(1, 2, 3), lengths);
        }
    }

    private void request(Rig rig) {
        Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Channel peer = rig.connect(
                server.getLocalAddress(),
                new SpdyFrameCodec(SpdyVersion.SPDY_3_1),
                new SpdySessionHandler(SpdyVersion.SPDY_3_1, false),
                new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        if (e.getMessage() instanceof SpdyDataFrame frame) {
                            lengths.add(frame.getData().readableBytes());
                        }
                    }
                });
        SpdySynStreamFrame request = new DefaultSpdySynStreamFrame(1, 0, (byte) 0);
        request.headers().add("name", "value");
        peer.write(request);
    }
}
