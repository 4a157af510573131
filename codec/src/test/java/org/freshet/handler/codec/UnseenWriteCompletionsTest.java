package org.freshet.handler.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultWriteCompletionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.base64.Base64Decoder;
import org.freshet.handler.codec.compression.ZlibDecoder;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpContentCompressor;
import org.freshet.handler.codec.http.HttpContentDecompressor;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.HttpContinueHandler;
import org.freshet.handler.codec.http.server.HttpErrorResponder;
import org.freshet.handler.codec.http.server.HttpKeepAliveHandler;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandshakeHandler;
import org.freshet.handler.codec.serialization.CompatibleObjectEncoder;
import org.freshet.handler.codec.spdy.SpdyHttpCodec;
import org.freshet.handler.codec.spdy.SpdyVersion;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.queue.BufferedWriteHandler;
import org.freshet.handler.timeout.IdleStateAwareChannelHandler;
import org.freshet.internal.EventKind;
import org.freshet.internal.SelectivePipeline;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A write completion that no handler needs would still cost an object and a call of each handler. */
class UnseenWriteCompletionsTest {
    private static final class Application extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {}
    }

    private static final class Counter extends SimpleChannelUpstreamHandler {
        @Override
        public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {}
    }

    static Stream<Supplier<ChannelHandler>> handlers() {
        return Stream.of(
                StringDecoder::new,
                Base64Decoder::new,
                ZlibDecoder::new,
                HttpServerCodec::new,
                HttpClientCodec::new,
                HttpContentCompressor::new,
                HttpContentDecompressor::new,
                HttpErrorResponder::new,
                HttpContinueHandler::new,
                HttpKeepAliveHandler::new,
                CompatibleObjectEncoder::new,
                () -> new WebSocketServerProtocolHandshakeHandler("/", null, false),
                () -> new SpdyHttpCodec(SpdyVersion.SPDY_3_1, 1024),
                () -> new ExecutionHandler(Runnable::run),
                BufferedWriteHandler::new,
                IdleStateAwareChannelHandler::new);
    }

    private static boolean isCreatedFor(ChannelHandler... handlers) {
        return SelectivePipeline.mayBeSeen(Channels.pipeline(handlers), EventKind.WRITTEN);
    }

    @ParameterizedTest
    @MethodSource("handlers")
    void shouldNotBeCreatedForAHandlerThatOnlyPassesThemOn(Supplier<ChannelHandler> handler) {
        assertFalse(isCreatedFor(handler.get(), new Application()));
    }

    @ParameterizedTest
    @MethodSource("handlers")
    void shouldReachAHandlerBehindIt(Supplier<ChannelHandler> supplier) throws Exception {
        assertTrue(isCreatedFor(supplier.get(), new Counter()));
        ChannelHandler handler = supplier.get();
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.takeUpstream();
        channel.takeDownstream();
        ChannelHandlerContext ctx = channel.context(handler);
        ChannelEvent written = new DefaultWriteCompletionEvent(channel, 5);
        ((ChannelUpstreamHandler) handler).handleUpstream(ctx, written);
        assertEquals(List.of(written), channel.takeUpstream());
        assertEquals(List.of(), channel.takeDownstream());
        channel.close();
    }

    /** An application's own handler may do anything with them. */
    @Test
    void shouldBeCreatedForASubclassThatDispatchesEventsItself() {
        assertTrue(isCreatedFor(new HttpServerCodec() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                super.handleUpstream(ctx, e);
            }
        }));
    }
}
