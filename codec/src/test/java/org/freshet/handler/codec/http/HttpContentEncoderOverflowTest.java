package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteOverflow;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Chunks that a channel refuses before they are compressed. */
class HttpContentEncoderOverflowTest {
    private static final int LIMIT = 256 * 1024;
    private static final int PIECE = 16 * 1024;
    private static final int PIECES = 64;

    private final CompletableFuture<Channel> requested = new CompletableFuture<>();
    private final CountDownLatch isWritten = new CountDownLatch(1);
    private final AtomicInteger closes = new AtomicInteger();

    private final class Counter extends SimpleChannelDownstreamHandler {
        @Override
        public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
            closes.incrementAndGet();
            ctx.sendDownstream(e);
        }
    }

    private final class Busy extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            requested.complete(e.getChannel());
            Await.latch(isWritten, "the writes of another thread");
        }
    }

    /** While the I/O thread is busy, a thread that doesn't look at its futures must not fill the heap. */
    @Test
    void shouldRequestTheCloseOnceHoweverManyAreRefused() throws Exception {
        try (Rig rig = SocketTransport.NIO.newRig()) {
            rig.server().setOption("child.writeBufferLimit", LIMIT);
            rig.server().setOption("child.writeOverflow", WriteOverflow.FAIL);
            rig.server()
                    .setPipelineFactory(() -> Channels.pipeline(
                            new Counter(), new HttpServerCodec(), new HttpContentCompressor(), new Busy()));
            Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
                Channel channel = Await.result(requested, "the request");
                writeTooMuch(channel);
                isWritten.countDown();
                Await.done(channel.getCloseFuture(), "the close");
                assertEquals(CloseReason.Kind.OVERFLOW, channel.getCloseReason().kind());
                assertEquals(1, closes.get());
            }
        }
    }

    private static void writeTooMuch(Channel channel) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setChunked(true);
        HttpHeaders.setTransferEncodingChunked(response);
        channel.write(response);
        byte[] content = new byte[PIECE];
        Seeds.random().nextBytes(content);
        for (int i = 0; i < PIECES; i++) {
            channel.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(content)));
        }
    }
}
