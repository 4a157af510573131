package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.junit.jupiter.api.Test;

class SpdyHttpDecoderTest {
    private final Map<Integer, HttpMessage> partial = new HashMap<>();
    private final DecoderEmbedder<Object> decoder =
            new DecoderEmbedder<>(new SpdyHttpDecoder(SpdyVersion.SPDY_3_1, 100, partial) {});

    private static SpdySynStreamFrame request(int streamId) {
        SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(streamId, 0, (byte) 0);
        frame.headers()
                .add(":method", "POST")
                .add(":path", "/x")
                .add(":version", "HTTP/1.1")
                .add(":host", "h");
        frame.headers().add("a", "1").add("a", "2").add("connection", "close").add("x-spdy-stream-id", "99");
        return frame;
    }

    private static SpdyDataFrame data(int streamId, int length, boolean last) {
        SpdyDataFrame frame = new DefaultSpdyDataFrame(streamId);
        frame.setData(ChannelBuffers.wrappedBuffer(new byte[length]));
        frame.setLast(last);
        return frame;
    }

    @Test
    void shouldDecodeRequestsWithContentAndTrailers() {
        decoder.offer(request(1));
        decoder.offer(data(1, 3, false));
        SpdyHeadersFrame trailers = new DefaultSpdyHeadersFrame(1);
        trailers.headers().add("t", "v");
        decoder.offer(trailers);
        decoder.offer(data(1, 4, true));
        HttpRequest decoded = (HttpRequest) decoder.poll();
        assertEquals(
                "POST /x HTTP/1.1", decoded.getMethod() + " " + decoded.getUri() + " " + decoded.getProtocolVersion());
        assertEquals(
                "[Host=h, a=1, a=2, X-SPDY-Stream-ID=1, t=v, Content-Length=7]",
                decoded.headers().entries().toString());
        assertEquals(7, decoded.getContent().readableBytes());
        assertTrue(partial.isEmpty());
    }

    /** CVE-2026-56745. */
    @Test
    void shouldKeepNothingOfAMessageThatWillNotBeWhole() {
        decoder.offer(request(1));
        decoder.offer(new DefaultSpdyRstStreamFrame(1, SpdyStreamStatus.CANCEL));
        assertTrue(partial.isEmpty(), "reset by the peer");

        decoder.offer(request(3));
        Channels.write(decoder.getPipeline().getChannel(), new DefaultSpdyRstStreamFrame(3, SpdyStreamStatus.CANCEL));
        assertTrue(partial.isEmpty(), "reset by this side");

        decoder.offer(request(5));
        CodecEmbedderException e = assertThrows(CodecEmbedderException.class, () -> decoder.offer(data(5, 101, false)));
        assertInstanceOf(TooLongFrameException.class, e.getCause());
        assertTrue(partial.isEmpty(), "too long");

        decoder.offer(request(7));
        decoder.offer(request(7));
        assertEquals(1, partial.size(), "one message per stream");
        SpdySynStreamFrame bad = request(7);
        bad.headers().remove(":path");
        decoder.offer(bad);
        assertTrue(partial.isEmpty(), "refused");

        decoder.offer(request(9));
        SpdyHeadersFrame badTrailer = new DefaultSpdyHeadersFrame(9);
        badTrailer.headers().add("t", "a\r\nb");
        decoder.offer(badTrailer);
        assertTrue(partial.isEmpty(), "trailers that HTTP does not allow");

        decoder.offer(request(11));
        assertEquals(1, partial.size());
        while (decoder.poll() != null) {}
        decoder.finish();
        Channels.fireChannelClosed(decoder.getPipeline().getChannel());
        assertTrue(partial.isEmpty(), "closed");
    }

    @Test
    void shouldRefuseWhatHttpDoesNotAllow() {
        for (String name : new String[] {":method", ":path", ":version", ":host"}) {
            for (String value : new String[] {null, "a\r\nx"}) {
                SpdySynStreamFrame frame = request(1);
                frame.setLast(true);
                frame.headers().remove(name);
                if (value != null) {
                    frame.headers().add(name, value);
                }
                assertRefused(decodedFrom(frame), name + "=" + value);
            }
        }
        SpdySynStreamFrame injected = request(1);
        injected.setLast(true);
        injected.headers().add("b", "c\r\nd: e");
        assertRefused(decodedFrom(injected), "a header with a line break");
    }

    /** If forwarded over HTTP/1.1, the next request would be read as this one's content. */
    @Test
    void shouldRefuseARequestWhoseContentIsNotOfTheLengthStated() {
        for (String stated : new String[] {"30", "-1", "x", "+0", "0, 0", ""}) {
            SpdySynStreamFrame whole = request(1);
            whole.headers().add("content-length", stated);
            whole.setLast(true);
            assertRefused(decodedFrom(whole), "no content, content-length: " + stated);

            SpdySynStreamFrame cut = request(3);
            cut.headers().add("Content-Length", stated);
            decoder.offer(cut);
            assertRefused(decodedFrom(data(3, 5, true)), "5 bytes of content, content-length: " + stated);
        }
        SpdySynStreamFrame twice = request(5);
        twice.headers().add("content-length", "5").add("content-length", "6");
        decoder.offer(twice);
        assertRefused(decodedFrom(data(5, 5, true)), "two lengths");
        assertTrue(partial.isEmpty());

        SpdySynStreamFrame none = request(7);
        none.headers().add("content-length", "0");
        none.setLast(true);
        assertInstanceOf(HttpRequest.class, decodedFrom(none));
        SpdySynStreamFrame five = request(9);
        five.headers().add("content-length", "5");
        decoder.offer(five);
        assertInstanceOf(HttpRequest.class, decodedFrom(data(9, 5, true)));
    }

    @Test
    void shouldKnowOneHostWhateverTheHeadersAndTrailersSay() {
        SpdySynStreamFrame frame = request(1);
        frame.headers().add("host", "other");
        decoder.offer(frame);
        SpdyHeadersFrame trailers = new DefaultSpdyHeadersFrame(1);
        trailers.headers().add("host", "third");
        trailers.setLast(true);
        HttpRequest decoded = (HttpRequest) decodedFrom(trailers);
        assertEquals(java.util.List.of("h"), decoded.headers().getAll("Host"));
    }

    private static void assertRefused(Object written, String what) {
        SpdySynReplyFrame reply = assertInstanceOf(SpdySynReplyFrame.class, written, what);
        assertEquals("400 Bad Request", reply.headers().get(":status"), what);
        assertTrue(reply.isLast());
    }

    private Object decodedFrom(SpdyFrame frame) {
        decoder.offer(frame);
        return decoder.poll();
    }

    @Test
    void shouldDecodeResponsesAndPushes() {
        SpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(1);
        reply.headers().add(":status", "200 Fine").add(":version", "HTTP/1.1");
        reply.setLast(true);
        HttpResponse response = (HttpResponse) decodedFrom(reply);
        assertEquals("200 Fine", response.getStatus().toString());
        assertEquals("0", response.headers().get("Content-Length"));

        SpdySynStreamFrame pushed = new DefaultSpdySynStreamFrame(2, 1, (byte) 3);
        pushed.headers()
                .add(":method", "GET")
                .add(":path", "/p")
                .add(":version", "HTTP/1.1")
                .add(":host", "h");
        HttpRequest promised = (HttpRequest) decodedFrom(pushed);
        assertEquals(1, SpdyHttpHeaders.getAssociatedToStreamId(promised));
        assertEquals(3, SpdyHttpHeaders.getPriority(promised));
        SpdyHeadersFrame late = new DefaultSpdyHeadersFrame(2);
        late.headers().add(":status", "200").add(":version", "HTTP/1.1");
        decoder.offer(late);
        decoder.offer(data(2, 5, true));
        assertEquals(5, ((HttpResponse) decoder.poll()).getContent().readableBytes());
    }
}
