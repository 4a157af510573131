package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.http2.hpack.HpackDecoder;
import org.freshet.handler.codec.http2.hpack.HpackException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Recorded connections of clients written elsewhere, read the same however they are split. */
class FrameReaderTest {
    enum Session {
        /** {@code curl --http2-prior-knowledge -H 'X-Name: value' --data-binary @body}, 7.88. */
        CURL(1, 200),
        /** {@code nghttp -n -m 2 -d body}, 1.52: two requests, and RFC 7540's priorities. */
        NGHTTP(2, 120),
        /** {@code h2load -n 5 -c 1 -m 3 -H 'x-name: value'}, 1.52. */
        H2LOAD(5, 0),
        /** Two requests from node 20's {@code http2}, one with trailers, and a PING. */
        NODE(3, 11);

        /** Field blocks, including trailers. */
        final int blocks;

        final int contentLength;

        Session(int blocks, int contentLength) {
            this.blocks = blocks;
            this.contentLength = contentLength;
        }

        /** Without the preface. */
        byte[] frames() throws IOException {
            try (InputStream in = FrameReaderTest.class.getResourceAsStream(
                    "session-of-" + name().toLowerCase(Locale.ROOT) + ".hex")) {
                String hex = new String(in.readAllBytes(), ISO_8859_1).replaceAll("\\s", "");
                byte[] all = HexFormat.of().parseHex(hex);
                int preface = Http2ServerHandler.PREFACE.length;
                assertTrue(Arrays.equals(Http2ServerHandler.PREFACE, Arrays.copyOf(all, preface)));
                return Arrays.copyOfRange(all, preface, all.length);
            }
        }
    }

    /** Passes on one line per frame, and the content of DATA. */
    private static final class Reading extends SimpleChannelUpstreamHandler implements FrameListener {
        private final FrameReader reader =
                new FrameReader(this, new AbuseGuard(() -> 0, Http2AbuseLimits.defaults(), 100), 16 * 1024);
        private final HpackDecoder hpack = new HpackDecoder(4096);
        private ChannelHandlerContext ctx;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Http2Exception {
            this.ctx = ctx;
            reader.read((ChannelBuffer) e.getMessage());
        }

        private void found(Object frame) {
            Channels.fireMessageReceived(ctx, frame);
        }

        @Override
        public void onDataBegins(int streamId, int length, boolean endsStream) {
            found("DATA " + streamId + " " + length);
        }

        @Override
        public boolean mayMergeData(int streamId) {
            return false;
        }

        @Override
        public void onData(int streamId, ChannelBuffer content, int flowControlled, boolean endsStream) {
            if (content.readable()) {
                found(ChannelBuffers.copiedBuffer(content));
            }
            if (endsStream) {
                found("END " + streamId);
            }
        }

        @Override
        public void onHeaders(int streamId, byte[] block, int offset, int length, boolean endsStream)
                throws Http2Exception {
            List<String> fields = new ArrayList<>();
            try {
                hpack.decode(block, offset, length, (name, value, never) -> fields.add(name + "=" + value));
            } catch (HpackException e) {
                throw new Http2Exception(Http2Error.COMPRESSION_ERROR, e.getMessage());
            }
            found("HEADERS " + streamId + " " + fields + (endsStream ? " END" : ""));
        }

        @Override
        public void onReset(int streamId, Http2Error error) {
            found("RST_STREAM " + streamId + " " + error);
        }

        @Override
        public void onSettings(byte[] settings, int offset, int length) {
            found("SETTINGS " + HexFormat.of().formatHex(settings, offset, offset + length));
        }

        @Override
        public void onSettingsAck() {
            found("SETTINGS ACK");
        }

        @Override
        public void onPing(long data) {
            found("PING " + data);
        }

        @Override
        public void onPingAck(long data) {
            found("PING ACK " + data);
        }

        @Override
        public void onGoAway(int lastStreamId, Http2Error error, String debugData) {
            found("GOAWAY " + lastStreamId + " " + error + debugData);
        }

        @Override
        public void onWindowUpdate(int streamId, int increment) {
            found("WINDOW_UPDATE " + streamId + " " + increment);
        }

        @Override
        public void onPriority(int streamId) {
            found("PRIORITY " + streamId);
        }

        @Override
        public void onPriorityUpdate(int streamId, String priority) {
            found("PRIORITY_UPDATE " + streamId + " " + priority);
        }
    }

    /** Joins consecutive content. */
    private static List<Object> read(byte[] frames, int first, int size) {
        DecoderEmbedder<Object> reader = new DecoderEmbedder<>(new Reading());
        List<Object> found = new ArrayList<>();
        for (int at = 0; at < frames.length; ) {
            int end = Math.min(frames.length, at + (at == 0 ? first : size));
            reader.offer(ChannelBuffers.wrappedBuffer(frames, at, end - at));
            at = end;
        }
        for (Object each = reader.poll(); each != null; each = reader.poll()) {
            Object last = found.isEmpty() ? null : found.get(found.size() - 1);
            if (each instanceof ChannelBuffer more && last instanceof ChannelBuffer content) {
                found.set(found.size() - 1, ChannelBuffers.copiedBuffer(content, more));
            } else {
                found.add(each);
            }
        }
        return found;
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadWhatAClientSendsTheSameFromEverySplit(Session session) throws IOException {
        byte[] frames = session.frames();
        List<Object> whole = read(frames, frames.length, frames.length);
        assertTrue(whole.get(0).toString().startsWith("SETTINGS "), whole.toString());
        assertEquals(
                session.blocks,
                whole.stream()
                        .filter(each -> each.toString().startsWith("HEADERS "))
                        .count(),
                whole.toString());
        assertEquals(
                session.contentLength,
                whole.stream()
                        .mapToInt(each -> each instanceof ChannelBuffer content ? content.readableBytes() : 0)
                        .sum(),
                whole.toString());

        for (int size = 1; size < frames.length; size++) {
            assertEquals(whole, read(frames, size, frames.length), "split at " + size);
            assertEquals(whole, read(frames, size, size), "in pieces of " + size);
        }
        for (int first = 1; first < FrameType.HEADER_LENGTH; first++) {
            assertEquals(
                    whole, read(frames, first, FrameType.HEADER_LENGTH), "in pieces of a header, the first " + first);
        }
    }
}
