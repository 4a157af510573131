package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.DuplicatedChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.Await;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

/** Memory runs out once while frames are sent. None is lost, or the connection ends: the peer could not follow the next one. */
class Http2BatchWithoutMemoryTest {
    private static final int MANY_STEPS = 20;
    private static final String ANSWER = "HEADERS 1 :status=204 END";

    private final StreamLog log = new StreamLog();

    /** A server whose connection asks its context for the channel. That is a step at which memory runs out. */
    private final class Server implements ChannelUpstreamHandler, ChannelDownstreamHandler {
        private final Http2ServerHandler handler = new Http2ServerHandler(log::pipeline);
        private final Scarcity scarcity;

        Server(Scarcity scarcity) {
            this.scarcity = scarcity;
        }

        private ChannelHandlerContext starved(ChannelHandlerContext ctx) {
            return (ChannelHandlerContext) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {ChannelHandlerContext.class},
                    (proxy, method, args) -> {
                        if (method.getName().equals("getChannel")) {
                            scarcity.step();
                        }
                        return method.invoke(ctx, args);
                    });
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            handler.handleUpstream(starved(ctx), e);
        }

        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
            handler.handleDownstream(ctx, e);
        }
    }

    /** Refuses one write. */
    private static final class Refusal implements ChannelDownstreamHandler {
        private Throwable next;

        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (next != null && e instanceof MessageEvent) {
                e.getFuture().setFailure(next);
                next = null;
            } else {
                ctx.sendDownstream(e);
            }
        }
    }

    private Refusal refusal;

    private FramePeer askedBy(Server server) {
        refusal = new Refusal();
        FramePeer peer = new FramePeer(refusal, server);
        peer.send(Http2ServerHandler.PREFACE, frame(SETTINGS, 0, 0), frame(SETTINGS, ACK, 0));
        peer.send(peer.get(1, "/"), peer.get(3, "/"));
        peer.lines();
        return peer;
    }

    private static HttpResponse noContent() {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT);
    }

    @Test
    void shouldSendABatchAgainOrClose() {
        int sent = 0;
        boolean wasReached = true;
        for (int steps = 0; wasReached && steps < MANY_STEPS; steps++) {
            Scarcity scarcity = Scarcity.later(steps);
            FramePeer peer = askedBy(new Server(scarcity));
            Channel stream = log.channels.get(log.channels.size() - 2);
            scarcity.begin();
            Scarcity.survive(() -> stream.write(noContent()));
            scarcity.end();
            wasReached = scarcity.wasReached();
            StringBuilder received = new StringBuilder();
            Await.until(
                    () -> received.append(peer.lines()).toString().contains(ANSWER) || !peer.channel.isOpen(),
                    "the answer, or the end of the connection");
            sent += wasReached && peer.channel.isOpen() ? 1 : 0;
        }
        assertFalse(wasReached);
        assertTrue(sent > 0, "octets that could not be sent were sent later");
    }

    @Test
    void shouldCloseIfABatchIsRefused() {
        FramePeer peer = askedBy(new Server(Scarcity.later(0)));
        refusal.next = new OutOfMemoryError("injected by a test");
        log.channels.get(0).write(noContent());
        log.channels.get(1).write(noContent());
        assertEquals(List.of(), peer.lines());
        assertFalse(peer.channel.isOpen());
    }

    /** The peer must get nothing that comes after that batch. */
    @Test
    void shouldCloseWithTheNextWriteIfThereWasNoMemoryForTheClose() {
        boolean wasReached = true;
        for (int steps = 0; wasReached && steps < MANY_STEPS; steps++) {
            Scarcity scarcity = Scarcity.later(steps);
            FramePeer peer = askedBy(new Server(scarcity));
            List<Channel> streams = log.channels.subList(log.channels.size() - 2, log.channels.size());
            refusal.next = new OutOfMemoryError("injected by a test");
            scarcity.begin();
            Scarcity.survive(() -> streams.get(0).write(noContent()));
            scarcity.end();
            wasReached = scarcity.wasReached();
            Scarcity.survive(() -> streams.get(1).write(noContent()));
            assertFalse(peer.channel.isOpen(), "after " + steps + " steps");
            assertEquals(List.of(), peer.lines());
        }
        assertFalse(wasReached);
    }

    /** Content of this length isn't copied. */
    @Test
    void shouldCloseIfTheContentOfAFrameIsLost() {
        FramePeer peer = askedBy(new Server(Scarcity.later(0)));
        Scarcity scarcity = new Scarcity(0);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setContent(new DuplicatedChannelBuffer(ChannelBuffers.wrappedBuffer(new byte[5_000])) {
            @Override
            public ChannelBuffer slice(int index, int length) {
                scarcity.step();
                return super.slice(index, length);
            }
        });
        Scarcity.survive(() -> log.channels.get(0).write(response));
        assertTrue(scarcity.wasReached());
        Await.until(() -> !peer.channel.isOpen(), "the end of the connection");
    }

    /** The peer would take what follows for the rest of the content: here the head of another stream, and GOAWAY. */
    @Test
    void shouldSendNothingAfterAFrameThatWasCut() {
        FramePeer peer = askedBy(new Server(Scarcity.later(0)));
        Scarcity scarcity = new Scarcity(0);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setContent(new DuplicatedChannelBuffer(ChannelBuffers.wrappedBuffer(new byte[10])) {
            @Override
            public void getBytes(int index, byte[] target, int from, int length) {
                scarcity.step();
                super.getBytes(index, target, from, length);
            }
        });
        Scarcity.survive(() -> log.channels.get(0).write(response));
        assertTrue(scarcity.wasReached());
        log.channels.get(1).write(noContent());
        Await.until(() -> !peer.channel.isOpen(), "the end of the connection");
        assertEquals(List.of(), peer.channel.takeWritten());
        assertTrue(peer.channel.takeCaught().toString().contains("a frame could not be written"));
    }
}
