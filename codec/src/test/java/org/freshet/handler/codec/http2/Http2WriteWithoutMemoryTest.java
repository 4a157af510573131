package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.internal.IoThreadBound;
import org.freshet.testing.Await;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

/** A thread writes to a stream, and there is no memory to pass the write to the connection's thread. */
class Http2WriteWithoutMemoryTest {
    private static final int MANY_STEPS = 100;

    /** Asking for its thread is a step at which memory runs out. That thread takes no task: it is busy with the test. */
    private static final class StarvedChannel extends AbstractChannel implements IoThreadBound {
        private final Thread ioThread = Thread.currentThread();
        private volatile Scarcity scarcity;

        StarvedChannel(ChannelHandler handler) {
            super(null, null, Channels.pipeline(handler), new AbstractChannelSink() {
                @Override
                public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {}
            });
        }

        @Override
        public boolean inIoThread() {
            if (scarcity != null) {
                scarcity.step();
            }
            return Thread.currentThread() == ioThread;
        }

        @Override
        public void runLater(Runnable task) {}

        @Override
        public ChannelConfig getConfig() {
            return null;
        }

        @Override
        public boolean isBound() {
            return true;
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public SocketAddress getLocalAddress() {
            return null;
        }

        @Override
        public SocketAddress getRemoteAddress() {
            return null;
        }

        void end() {
            setClosed();
            Channels.fireChannelClosed(this); // stops the connection's time-outs
        }
    }

    private final AtomicReference<Channel> opened = new AtomicReference<>();
    private final StarvedChannel connection =
            new StarvedChannel(new Http2ServerHandler(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    opened.set(e.getChannel());
                }
            })));

    private Channel openStream() throws IOException {
        Channels.fireChannelConnected(connection, new InetSocketAddress(1));
        FramePeer requests = new FramePeer(new SimpleChannelUpstreamHandler());
        for (byte[] sent : new byte[][] {Http2ServerHandler.PREFACE, frame(SETTINGS, 0, 0), requests.get(1, "/")}) {
            Channels.fireMessageReceived(connection, ChannelBuffers.wrappedBuffer(sent));
        }
        return opened.get();
    }

    private ChannelFuture writeOnAnotherThread(Channel stream, Scarcity scarcity) {
        AtomicReference<ChannelFuture> written = new AtomicReference<>();
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        Thread writer = new Thread(() -> {
            connection.scarcity = scarcity;
            written.set(stream.write(response));
            connection.scarcity = null;
        });
        writer.start();
        Await.end(writer);
        return written.get();
    }

    @Test
    void shouldGiveBackTheChargeOfAWriteThatFails() throws IOException {
        Channel stream = openStream();
        assertNotNull(stream, "the request");
        int refused = 0;
        boolean wasReached = true;
        for (int steps = 1; wasReached; steps++) { // the first one only asks whether this is the connection's thread
            long before = WriteAccount.waitingBytes(stream);
            Scarcity scarcity = new Scarcity(steps);
            if (writeOnAnotherThread(stream, scarcity).isDone()) {
                refused++;
                assertEquals(before, WriteAccount.waitingBytes(stream), "no memory after " + steps + " steps");
            }
            wasReached = scarcity.wasReached() && steps < MANY_STEPS;
        }
        assertTrue(refused > 0, "a write met the error");
        connection.end();
    }
}
