package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.END_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.PADDED;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** How handlers written for HTTP/1.1 see the requests of HTTP/2. */
class Http2ServerRequestsTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

    @Test
    void shouldCreateAChannelPerRequestWithTheConnectionAsParent() {
        peer.send(peer.get(1, "/a"), peer.get(3, "/b"));

        assertEquals(
                List.of("1 open", "1 bound", "1 connected", "1 GET /a", "3 open", "3 bound", "3 connected", "3 GET /b"),
                log.take());
        Http2StreamChannel stream = (Http2StreamChannel) log.last();
        assertSame(peer.channel, stream.getParent());
        assertEquals(peer.channel.getRemoteAddress(), stream.getRemoteAddress());
        assertEquals("http", stream.getScheme());
        assertEquals(3, stream.getStreamId());
    }

    @Test
    void shouldNotifyTheConnectionOfEachStreamThatOpensAndCloses() {
        peer.channel.takeUpstream();
        peer.send(peer.get(1, "/"));
        log.last().close();

        List<Boolean> opened = peer.channel.takeUpstream().stream()
                .filter(ChildChannelStateEvent.class::isInstance)
                .map(e -> ((ChildChannelStateEvent) e).getChildChannel() == log.last())
                .toList();

        assertEquals(List.of(true, true), opened, "opened, and closed");
    }

    @Test
    void shouldCreateAnHttp11Request() {
        peer.send(peer.get(1, "/a?b", "accept", "text/html", "cookie", "a=1", "cookie", "b=2", "te", "trailers"));

        HttpRequest request = (HttpRequest) log.messages.get(0);
        assertEquals(HttpVersion.HTTP_1_1, request.getProtocolVersion());
        assertEquals("/a?b", request.getUri());
        assertEquals("example.com", HttpHeaders.getHost(request));
        assertEquals("a=1; b=2", request.headers().get("Cookie"));
        assertEquals("text/html", request.headers().get("Accept"));
        assertTrue(HttpHeaders.isKeepAlive(request));
        assertFalse(request.isChunked());
    }

    @Test
    void shouldPutShortContentOfKnownLengthIntoTheRequest() {
        peer.send(
                peer.request(1, false, "POST", "/", "content-length", "5"),
                data(1, false, "he"),
                data(1, false, "llo"));
        log.take();

        peer.send(data(1, true, ""));

        assertEquals(List.of("1 POST / 'hello'"), log.take());
    }

    @Test
    void shouldPassOnOtherContentInChunks() {
        peer.send(peer.request(1, false, "POST", "/"), data(1, false, "he"), data(1, true, "llo"));

        assertEquals(
                List.of(
                        "1 open",
                        "1 bound",
                        "1 connected",
                        "1 POST / chunked",
                        "1 chunk 'he'",
                        "1 chunk 'llo'",
                        "1 last"),
                log.take());
    }

    @Test
    void shouldPassOnTrailers() {
        peer.send(peer.request(1, false, "POST", "/"), data(1, false, "x"), peer.headers(1, true, "check", "1"));

        assertEquals(
                List.of("1 POST / chunked", "1 chunk 'x'", "1 last [check=1]"),
                log.take().subList(3, 6));
    }

    @Test
    void shouldCreateChunksForShortContentWithTrailers() {
        peer.send(
                peer.request(1, false, "POST", "/", "content-length", "1"),
                data(1, false, "x"),
                peer.headers(1, true, "check", "1"));

        assertEquals(
                List.of("1 POST / chunked", "1 chunk 'x'", "1 last [check=1]"),
                log.take().subList(3, 6));
    }

    /** Each request has its own tag in its target, its fields, its content and its trailer. */
    @Test
    void shouldKeepTheFieldsOfInterleavedRequestsApart() {
        Map<Channel, String> seen = new HashMap<>();
        log.reaction = (channel, message) -> seen.merge(channel, tags(message), String::concat);
        Random random = Seeds.random();
        int[] steps = new int[50];
        int opened = 0;
        for (int sent = 0; sent < 3 * steps.length; ) {
            boolean opens = opened == 0 || opened < steps.length && random.nextBoolean();
            int stream = opens ? opened++ : random.nextInt(opened);
            if (steps[stream] < 3) {
                peer.send(part(steps[stream]++, 2 * stream + 1));
                sent++;
            }
        }
        assertEquals(steps.length, seen.size());
        seen.forEach((channel, tags) -> {
            String tag = " tag-" + ((Http2StreamChannel) channel).getStreamId();
            assertEquals(tag.repeat(4), tags);
        });
    }

    private byte[] part(int step, int id) {
        String tag = "tag-" + id;
        return switch (step) {
            case 0 -> peer.request(id, false, "POST", "/" + tag, "x-tag", tag);
            case 1 -> data(id, false, tag);
            default -> peer.headers(id, true, "x-tag", tag);
        };
    }

    private static String tags(Object message) {
        if (message instanceof HttpRequest request) {
            return " " + request.getUri().substring(1) + " " + request.headers().get("x-tag");
        }
        return " "
                + (message instanceof HttpChunkTrailer trailer
                        ? trailer.trailingHeaders().get("x-tag")
                        : ((HttpChunk) message).getContent().toString(ISO_8859_1));
    }

    @Test
    void shouldNotMakeHeadersOfTrailers() {
        List<HttpMessage> joined = new ArrayList<>();
        FramePeer client = FramePeer.client(new Http2ServerHandler(() ->
                Channels.pipeline(new HttpChunkAggregator(5), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        joined.add((HttpMessage) e.getMessage());
                    }
                })));
        client.send(
                client.request(1, false, "POST", "/"),
                data(1, false, "x"),
                client.headers(1, true, "x-forwarded-for", "127.0.0.1"));

        assertFalse(joined.get(0).headers().contains("X-Forwarded-For"));
        assertEquals("127.0.0.1", joined.get(0).trailingHeaders().get("X-Forwarded-For"));
    }

    @Test
    void shouldRemovePadding() {
        peer.send(
                peer.request(1, false, "POST", "/"),
                frame(DATA, PADDED | END_STREAM, 1, new byte[] {3, 'a', 'b', 0, 0, 0}));

        assertEquals(
                List.of("1 POST / chunked", "1 chunk 'ab'", "1 last"),
                log.take().subList(3, 6));
    }

    @Test
    void shouldReadTheSameFromEverySplit() {
        byte[][] frames = {
            peer.request(1, false, "POST", "/", "content-length", "5"),
            data(1, true, "hello"),
            peer.get(3, "/x"),
            frame(PING, 0, 0, new byte[8])
        };
        ChannelBuffer all = ChannelBuffers.wrappedBuffer(frames);
        for (int at = 0; at <= all.readableBytes(); at++) {
            StreamLog each = new StreamLog();
            FramePeer split = FramePeer.client(new Http2ServerHandler(each::pipeline));

            split.channel.receive(all.copy(0, at));
            split.channel.receive(all.copy(at, all.readableBytes() - at));

            assertEquals(8, each.take().size(), "split at " + at);
            assertEquals(List.of("PING ACK"), split.lines(), "split at " + at);
        }
    }

    @Test
    void shouldHoldContentWhileAHandlerDoesNotRead() {
        log.reaction = (channel, message) -> channel.setReadable(!(message instanceof HttpRequest));
        peer.send(peer.request(1, false, "POST", "/"), data(1, false, "a"), data(1, true, "b"), peer.get(3, "/other"));

        assertEquals(
                List.of("1 POST / chunked", "1 interest - writable", "3 open"),
                log.take().subList(3, 6));
        log.channels.get(0).setReadable(true);

        assertEquals(List.of("1 interest read writable", "1 chunk 'ab'", "1 last"), log.take());
    }

    @Test
    void shouldLetThePeerSendMoreAfterHandlersHaveReadHalfAWindow() {
        Http2Settings settings = Http2Settings.defaults().toBuilder()
                .initialWindowSize(70_000)
                .connectionWindowSize(100_000)
                .build();
        StreamLog small = new StreamLog();
        FramePeer client = FramePeer.client(new Http2ServerHandler(small::pipeline, settings));
        client.send(client.request(1, false, "POST", "/"));
        small.last().setReadable(false);
        String content = "x".repeat(16_000);

        client.send(data(1, false, content), data(1, false, content), data(1, false, content), data(1, false, content));
        assertEquals(List.of("WINDOW_UPDATE 64000"), client.lines()); // the connection's
        small.last().setReadable(true);

        assertEquals(List.of("WINDOW_UPDATE 1 48000"), client.lines());
    }

    @Test
    void shouldRefuseContentThatIsTooLongToJoinOnItsStreamAlone() {
        StreamLog joined = new StreamLog();
        FramePeer client = FramePeer.client(new Http2ServerHandler(() -> {
            ChannelPipeline pipeline = joined.pipeline();
            pipeline.addFirst("aggregator", new HttpChunkAggregator(5));
            return pipeline;
        }));
        client.send(
                client.request(1, false, "POST", "/long"),
                data(1, false, "123456"),
                client.request(3, true, "GET", "/b"));

        assertEquals(
                List.of("1 TooLongHttpMessageException the content is longer than 5 bytes", "3 GET /b"),
                joined.take().stream()
                        .filter(line -> line.contains("Exception") || line.contains("/"))
                        .toList());
        assertTrue(client.channel.isOpen());
    }

    @Test
    void shouldKeepSeparateAttachmentsPerStream() {
        peer.send(peer.get(1, "/"), peer.get(3, "/"));

        log.channels.get(0).setAttachment("first");

        assertNotNull(log.channels.get(0).getAttachment());
        assertEquals(null, log.channels.get(1).getAttachment());
    }
}
