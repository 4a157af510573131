package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.compression.ZlibStreams;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.oneone.OneToOneDecoder;
import org.freshet.internal.handler.PendingClose;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decoders of users, and messages that are over before they are decoded. */
class HttpContentDecoderTest {
    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");

    /** Upper case, without question marks; fails where the content or the coding asks for it. */
    private static final class Shouting extends OneToOneDecoder {
        private final boolean failsAtEnd;

        Shouting(boolean failsAtEnd) {
            this.failsAtEnd = failsAtEnd;
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, Object msg) {
            String text = ((ChannelBuffer) msg).toString(ISO_8859_1);
            if (text.contains("!")) {
                throw new IllegalStateException("planted");
            }
            return bytes(text.replace("?", "").toUpperCase());
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (failsAtEnd
                    && e instanceof ChannelStateEvent change
                    && change.getState() == ChannelState.OPEN
                    && Boolean.FALSE.equals(change.getValue())) {
                throw new IllegalStateException("planted at the end");
            }
            super.handleUpstream(ctx, e);
        }
    }

    private static HttpContentDecoder decoder() {
        return new HttpContentDecoder() {
            @Override
            protected DecoderEmbedder<ChannelBuffer> newContentDecoder(String contentEncoding) {
                return new DecoderEmbedder<>(new Shouting(contentEncoding.contains("end")));
            }

            @Override
            protected String getTargetContentEncoding(String contentEncoding) {
                return contentEncoding.startsWith("two, ") ? "two" : "Identity";
            }
        };
    }

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, ISO_8859_1);
    }

    private MemoryChannel receiving(String coding, Object... messages) {
        MemoryChannel channel = MemoryChannel.connected(decoder());
        request.headers().set("Content-Encoding", coding);
        for (Object message : messages) {
            channel.receive(message);
        }
        return channel;
    }

    private static List<String> received(MemoryChannel channel) {
        return channel.takeReceived().stream().map(Decoded::describe).toList();
    }

    // ---- headers ----

    @Test
    void shouldKeepTheCodingThatIsLeft() {
        request.setContent(bytes("abc"));
        request.headers().add("Content-Length", 3);
        assertEquals(
                List.of("POST / HTTP/1.1 Content-Encoding:two Content-Length:3 <ABC>"),
                received(receiving("two, x", request)).stream()
                        .map(text -> text.replace(
                                " Content-Length:3 Content-Encoding:two", " Content-Encoding:two Content-Length:3"))
                        .toList());
    }

    @Test
    void shouldAddNoLengthToAWholeMessage() {
        request.setContent(bytes("abc"));
        assertEquals(List.of("POST / HTTP/1.1 <ABC>"), received(receiving("x", request)));
    }

    @Test
    void shouldRemoveTheLengthOfContentThatComesInChunks() {
        request.setChunked(true);
        request.headers().set("Content-Length", 3);
        MemoryChannel channel = receiving("x", request, new DefaultHttpChunk(bytes("abc")), HttpChunk.LAST_CHUNK);
        assertEquals(List.of("POST / HTTP/1.1 chunked", "chunk ABC", "end"), received(channel));
    }

    /** Such as the answer to HEAD: the headers describe what GET would get. */
    @Test
    void shouldNotChangeTheHeadersOfAMessageWithoutContent() {
        request.headers().set("Content-Length", 3);
        MemoryChannel channel = receiving("x", request);
        assertEquals(List.of("POST / HTTP/1.1 Content-Length:3 Content-Encoding:x <>"), received(channel));
    }

    @Test
    void shouldNotDecodeAMessageThatNamesNoCoding() {
        request.setContent(bytes("abc"));
        MemoryChannel channel = MemoryChannel.connected(decoder());
        channel.receive(request);
        assertEquals(List.of("POST / HTTP/1.1 <abc>"), received(channel));
    }

    /** An empty chunk would end the message. */
    @Test
    void shouldNotPassOnEmptyPieces() {
        request.setChunked(true);
        MemoryChannel channel = receiving(
                "x",
                request,
                new DefaultHttpChunk(bytes("?")),
                new DefaultHttpChunk(bytes("a?")),
                HttpChunk.LAST_CHUNK);
        assertEquals(List.of("POST / HTTP/1.1 chunked", "chunk A", "end"), received(channel));
    }

    // ---- failures ----

    @Test
    void shouldRefuseContentThatAUsersDecoderRefuses() {
        request.setChunked(true);
        HttpRequest next = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/next");
        MemoryChannel channel = receiving(
                "x",
                request,
                new DefaultHttpChunk(bytes("a!")),
                new DefaultHttpChunk(bytes("b")),
                HttpChunk.LAST_CHUNK,
                next);
        Throwable failure = channel.takeCaught().get(0);
        assertInstanceOf(MalformedHttpMessageException.class, failure);
        assertEquals("the content cannot be decoded: planted", failure.getMessage());
        assertEquals("planted", failure.getCause().getMessage());
        assertEquals(List.of("POST / HTTP/1.1 chunked", "GET /next HTTP/1.1 <>"), received(channel));
    }

    @Test
    void shouldRefuseContentWhoseEndAUsersDecoderRefuses() {
        request.setChunked(true);
        MemoryChannel channel = receiving("end", request, new DefaultHttpChunk(bytes("a")), HttpChunk.LAST_CHUNK);
        assertEquals(
                "the content cannot be decoded: planted at the end",
                channel.takeCaught().get(0).getMessage());
        assertEquals(List.of("POST / HTTP/1.1 chunked", "chunk A"), received(channel));
        HttpChunk stray = new DefaultHttpChunk(bytes("b"));
        channel.receive(stray);
        assertSame(stray, channel.takeReceived().get(0), "the message is over");
    }

    @Test
    void shouldRefuseAWholeMessageThatAUsersDecoderRefuses() {
        request.setContent(bytes("a!"));
        MemoryChannel channel = receiving("x", request);
        assertEquals(List.of(), channel.takeReceived());
        assertInstanceOf(
                MalformedHttpMessageException.class, channel.takeCaught().get(0));
    }

    @Test
    void shouldIgnoreAFailureToEndContentThatIsNotWanted() {
        request.setChunked(true);
        MemoryChannel channel = receiving("end", request, new DefaultHttpChunk(bytes("a")));
        channel.close();
        assertEquals(List.of(), channel.takeCaught());
    }

    // ---- removing it ----

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldPassOnWhatWaitsWhenItIsRemoved(boolean isInputOver) throws IOException {
        HttpContentDecompressor decompressor = new HttpContentDecompressor();
        MemoryChannel channel = MemoryChannel.connected(decompressor);
        request.headers().set("Content-Encoding", "gzip");
        request.setChunked(true);
        channel.receive(request);
        channel.setReadable(false);
        channel.receive(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(ZlibStreams.gzipped(new byte[300_000]))));
        HttpChunk waiting = new DefaultHttpChunk(bytes("x"));
        channel.receive(waiting);
        channel.receive(HttpChunk.LAST_CHUNK);
        if (isInputOver) {
            channel.getPipeline().sendUpstream(new InputShutdownEvent(channel));
        }
        assertEquals(2, channel.takeReceived().size(), "the request and one piece");
        channel.takeUpstream();
        channel.getPipeline().remove(decompressor);
        assertEquals(List.of(waiting, HttpChunk.LAST_CHUNK), channel.takeReceived());
        assertEquals(
                isInputOver ? 1 : 0,
                channel.takeUpstream().stream()
                        .filter(InputShutdownEvent.class::isInstance)
                        .count());
    }

    /** Says what is wrong itself, and counts how often it is ended. */
    private static final class OwnEmbedder extends DecoderEmbedder<ChannelBuffer> {
        private final String refusal;
        private int ends;

        OwnEmbedder(String refusal) {
            super(new Shouting(false));
            this.refusal = refusal;
        }

        private void check(String what) {
            if (what.equals(refusal)) {
                throw new CodecEmbedderException("planted: " + what);
            }
        }

        @Override
        public boolean offer(Object input) {
            check("offer");
            return super.offer(input);
        }

        @Override
        public boolean finish() {
            ends++;
            check("finish");
            return super.finish();
        }
    }

    private static HttpContentDecoder using(OwnEmbedder embedder) {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxInflatedBytes(4).build();
        return new HttpContentDecoder(limits) {
            @Override
            protected DecoderEmbedder<ChannelBuffer> newContentDecoder(String contentEncoding) {
                return embedder;
            }
        };
    }

    private MemoryChannel decodingWith(OwnEmbedder embedder) {
        MemoryChannel channel = MemoryChannel.connected(using(embedder));
        request.headers().set("Content-Encoding", "own");
        request.setChunked(true);
        channel.receive(request);
        channel.receive(new DefaultHttpChunk(bytes("abcd")));
        return channel;
    }

    @ParameterizedTest
    @ValueSource(strings = {"offer", "finish"})
    void shouldReportWhatAUsersEmbedderRefuses(String step) {
        OwnEmbedder embedder = new OwnEmbedder(step);
        MemoryChannel channel = decodingWith(embedder);
        channel.receive(HttpChunk.LAST_CHUNK);
        assertEquals(1, embedder.ends, "it's ended right away");
        Throwable failure = channel.takeCaught().get(0);
        assertInstanceOf(MalformedHttpMessageException.class, failure);
        assertEquals("the content cannot be decoded: planted: " + step, failure.getMessage());
    }

    /** So that it releases what it holds; twice might be once too often. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndAUsersEmbedderOnce(boolean isComplete) {
        OwnEmbedder embedder = new OwnEmbedder("nothing");
        MemoryChannel channel = decodingWith(embedder);
        assertEquals(0, embedder.ends);
        if (isComplete) {
            channel.receive(HttpChunk.LAST_CHUNK);
        }
        channel.close();
        assertEquals(1, embedder.ends);
        assertEquals(List.of(), channel.takeCaught(), "as much as is allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"offer", "nothing"})
    void shouldEndAUsersEmbedderWithItsWholeMessage(String refusal) {
        OwnEmbedder embedder = new OwnEmbedder(refusal);
        MemoryChannel channel = MemoryChannel.connected(using(embedder));
        request.headers().set("Content-Encoding", "own");
        request.setContent(bytes("abcd"));
        channel.receive(request);
        assertEquals(refusal.equals("offer") ? 1 : 0, channel.takeCaught().size());
        assertEquals(1, embedder.ends);
    }

    /** The close may take a while, for example until what was written is sent. */
    @Test
    void shouldPassOnNoContentOnceAHandlerHasRequestedTheClose() {
        MemoryChannel channel = MemoryChannel.connected(decoder(), new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage() instanceof HttpChunk) {
                    PendingClose.request(ctx.getChannel());
                }
                ctx.sendUpstream(e);
            }
        });
        request.headers().set("Content-Encoding", "x");
        request.setChunked(true);
        channel.receive(request);
        channel.receive(new DefaultHttpChunk(bytes("a")));
        channel.receive(new DefaultHttpChunk(bytes("b")));
        channel.receive(HttpChunk.LAST_CHUNK);
        assertEquals(List.of("POST / HTTP/1.1 chunked", "chunk A"), received(channel));
    }
}
