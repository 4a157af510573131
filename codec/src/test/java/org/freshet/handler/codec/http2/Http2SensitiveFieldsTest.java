package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.http.DefaultHttpChunkTrailer;
import org.freshet.handler.codec.http.DefaultHttpHeaders;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.hpack.HpackDecoder;
import org.freshet.handler.codec.http2.hpack.HpackException;
import org.junit.jupiter.api.Test;

/** Fields that no intermediary may put into a table (RFC 7541 7.1.3): as marked by users, and as received. */
class Http2SensitiveFieldsTest {
    private final StreamLog log = new StreamLog();

    /** Names and values of a block, with a mark before never-indexed ones. */
    private static List<String> marked(HpackDecoder decoder, ChannelBuffer block) {
        byte[] octets = new byte[block.readableBytes()];
        block.readBytes(octets);
        List<String> fields = new ArrayList<>();
        try {
            decoder.decode(
                    octets,
                    0,
                    octets.length,
                    (name, value, never) -> fields.add((never ? "!" : "") + name + "=" + value));
        } catch (HpackException e) {
            throw new AssertionError(e);
        }
        return fields;
    }

    private static List<String> heads(FramePeer peer, HpackDecoder decoder) {
        List<String> fields = new ArrayList<>();
        peer.frames().stream()
                .filter(frame -> frame.type() == FramePeer.HEADERS)
                .forEach(head -> fields.addAll(marked(decoder, head.payload())));
        return fields;
    }

    /** A never-indexed literal with a new name. */
    private static byte[] neverIndexed(String name, String value) {
        byte[] out = new byte[3 + name.length() + value.length()];
        out[0] = 0x10;
        out[1] = (byte) name.length();
        System.arraycopy(name.getBytes(), 0, out, 2, name.length());
        out[2 + name.length()] = (byte) value.length();
        System.arraycopy(value.getBytes(), 0, out, 3 + name.length(), value.length());
        return out;
    }

    private static HttpRequest request() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set("Host", "example.com").set("X-Token", "secret").set("X-Other", "value");
        return request;
    }

    @Test
    void shouldNotBeIndexedIfTheyAreMarked() {
        FramePeer peer = FramePeer.server(new Http2ClientHandler());
        HpackDecoder decoder = new HpackDecoder(4096);
        for (int i = 0; i < 2; i++) {
            Channel stream =
                    Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();
            HttpRequest request = request();
            request.headers().markSensitive("x-token");
            stream.write(request);

            List<String> fields = heads(peer, decoder);
            assertTrue(fields.contains("!x-token=secret"), fields.toString());
            assertTrue(fields.contains("x-other=value"), fields.toString());
        }
    }

    @Test
    void shouldNotUseATableThatContainsThem() {
        FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));
        HpackDecoder decoder = new HpackDecoder(4096);
        for (boolean isSensitive : new boolean[] {false, true}) {
            peer.send(peer.get(isSensitive ? 3 : 1, "/"));
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.headers().set("X-Token", "secret");
            if (isSensitive) {
                response.headers().markSensitive("X-TOKEN");
            }
            log.last().write(response);

            assertEquals(List.of(":status=200", (isSensitive ? "!" : "") + "x-token=secret"), heads(peer, decoder));
        }
    }

    @Test
    void shouldStayMarkedWhenForwarded() {
        FramePeer client = FramePeer.client(new Http2ServerHandler(log::pipeline));
        byte[] block = client.block(
                ":method", "GET", ":scheme", "http", ":authority", "example.com", ":path", "/", "x-other", "value");
        byte[] token = neverIndexed("x-token", "secret");
        byte[] all = new byte[block.length + token.length];
        System.arraycopy(block, 0, all, 0, block.length);
        System.arraycopy(token, 0, all, block.length, token.length);
        client.send(FramePeer.frame(FramePeer.HEADERS, FramePeer.END_HEADERS | FramePeer.END_STREAM, 1, all));
        HttpRequest received = (HttpRequest) log.messages.get(0);
        assertTrue(received.headers().isSensitive("X-Token"));
        assertFalse(received.headers().isSensitive("X-Other"));

        HttpRequest forwarded = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        forwarded.headers().set(received.headers());
        FramePeer server = FramePeer.server(new Http2ClientHandler());
        Http2ClientConnection.of(server.channel)
                .open(log.pipeline())
                .getChannel()
                .write(forwarded);

        List<String> fields = heads(server, new HpackDecoder(4096));
        assertTrue(fields.contains("!x-token=secret"), fields.toString());
        assertTrue(fields.contains("x-other=value"), fields.toString());
    }

    @Test
    void shouldBeMarkedInTrailers() {
        FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));
        peer.send(peer.get(1, "/"));
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setChunked(true);
        log.last().write(response);
        DefaultHttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
        trailer.trailingHeaders().set("X-Token", "secret");
        trailer.trailingHeaders().markSensitive("X-Token");
        log.last().write(trailer);

        assertEquals(List.of(":status=200", "!x-token=secret"), heads(peer, new HpackDecoder(4096)));
    }

    @Test
    void shouldBeMarkedInReceivedResponsesAndTrailers() {
        FramePeer peer = FramePeer.server(new Http2ClientHandler());
        Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel().write(request());
        peer.send(received(0, peer.block(":status", "200", "x-other", "value")), received(1, new byte[0]));
        HttpResponse response = (HttpResponse) log.messages.get(0);
        assertTrue(response.headers().isSensitive("X-Token"));
        assertFalse(response.headers().isSensitive("X-Other"));
        HttpChunkTrailer last = (HttpChunkTrailer) log.messages.get(1);
        assertTrue(last.trailingHeaders().isSensitive("X-Token"));
    }

    /** The block, and a field that must not be indexed. */
    private static byte[] received(int endsStream, byte[] block) {
        byte[] token = neverIndexed("x-token", "secret");
        byte[] all = java.util.Arrays.copyOf(block, block.length + token.length);
        System.arraycopy(token, 0, all, block.length, token.length);
        return FramePeer.frame(FramePeer.HEADERS, FramePeer.END_HEADERS | endsStream, 1, all);
    }

    @Test
    void shouldBeMarkedByName() {
        HttpHeaders headers = new DefaultHttpHeaders();
        assertFalse(headers.isSensitive("X-Token"));
        headers.markSensitive("X-Token").set("X-Token", "secret");
        assertTrue(headers.isSensitive("x-token"));

        HttpHeaders copy = new DefaultHttpHeaders();
        copy.add(headers);
        assertTrue(copy.isSensitive("x-token"));
        headers.clear();
        assertTrue(headers.isSensitive("x-token"), "the mark is about the name");
    }
}
