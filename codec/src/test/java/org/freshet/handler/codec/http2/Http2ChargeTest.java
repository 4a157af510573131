package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** How a stream's messages are charged if listeners of their futures write. */
class Http2ChargeTest {
    private static HttpResponse head() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setChunked(true);
        return response;
    }

    @Test
    void shouldReleaseARefusedMessageWhoseListenerWritesAnother() {
        AtomicReference<ChannelFuture> refused = new AtomicReference<>();
        AtomicReference<ChannelFuture> other = new AtomicReference<>();
        AtomicReference<Channel> opened = new AtomicReference<>();
        Http2ServerHandler server = new Http2ServerHandler(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                Channel stream = e.getChannel();
                opened.set(stream);
                stream.write(head());
                ChannelFuture second = Channels.future(stream);
                second.addListener(failed ->
                        other.set(stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[1000])))));
                Channels.write(ctx, second, head());
                refused.set(second);
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                // the stream continues
            }
        }));
        MemoryChannel connection = MemoryChannel.connected(server).closeAfterEnd();
        FramePeer requests = new FramePeer(new SimpleChannelUpstreamHandler());
        for (byte[] sent : new byte[][] {Http2ServerHandler.PREFACE, frame(SETTINGS, 0, 0), requests.get(1, "/")}) {
            connection.receive(ChannelBuffers.wrappedBuffer(sent));
        }
        assertFalse(refused.get().isSuccess());
        assertTrue(other.get().isSuccess());
        assertTrue(opened.get().isOpen());
        assertEquals(0, WriteAccount.waitingBytes(opened.get()));
        assertEquals(0, WriteAccount.waitingBytes(connection));
        connection.close();
    }
}
