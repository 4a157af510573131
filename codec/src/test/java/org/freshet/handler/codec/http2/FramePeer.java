package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.hpack.HpackDecoder;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.handler.codec.http2.hpack.HpackException;
import org.freshet.testing.MemoryChannel;

/**
 * The other side of a connection, frame by frame: it builds the frames to send, and turns each received frame into one
 * line.
 */
final class FramePeer {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    static final int PRIORITY_UPDATE = 0x10;

    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;

    private static final String[] NAMES = {
        "DATA",
        "HEADERS",
        "PRIORITY",
        "RST_STREAM",
        "SETTINGS",
        "PUSH_PROMISE",
        "PING",
        "GOAWAY",
        "WINDOW_UPDATE",
        "CONTINUATION"
    };

    final MemoryChannel channel;
    private final HpackEncoder encoder = new HpackEncoder();
    private final HpackDecoder decoder = new HpackDecoder(4096);
    private final ChannelBuffer received = ChannelBuffers.dynamicBuffer();
    private int messages;

    FramePeer(ChannelHandler... handlers) {
        channel = MemoryChannel.connected(handlers).closeAfterEnd();
    }

    /** A client that has sent its opening frames; the server's answer to them is dropped. */
    static FramePeer client(Http2ServerHandler server) {
        FramePeer peer = new FramePeer(server);
        peer.send(Http2ServerHandler.PREFACE);
        peer.send(frame(SETTINGS, 0, 0));
        peer.send(frame(SETTINGS, ACK, 0));
        peer.lines();
        return peer;
    }

    /** A server that has sent its opening frames; the client's opening is dropped. */
    static FramePeer server(Http2ClientHandler client) {
        FramePeer peer = new FramePeer(client);
        peer.send(frame(SETTINGS, 0, 0));
        peer.send(frame(SETTINGS, ACK, 0));
        ChannelBuffer first = peer.takeBytes();
        first.skipBytes(Http2ServerHandler.PREFACE.length);
        peer.received.writeBytes(first);
        peer.lines();
        return peer;
    }

    void send(byte[]... frames) {
        ChannelBuffer all = ChannelBuffers.dynamicBuffer();
        for (byte[] frame : frames) {
            all.writeBytes(frame);
        }
        channel.receive(all);
    }

    // ---- frames to send ----

    static byte[] frame(int type, int flags, int streamId, byte... payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .putShort((short) (payload.length >>> 8))
                .put((byte) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(streamId)
                .put(payload)
                .array();
    }

    static byte[] ints(int... values) {
        ByteBuffer octets = ByteBuffer.allocate(4 * values.length);
        for (int value : values) {
            octets.putInt(value);
        }
        return octets.array();
    }

    /** @param fields names and values, alternating */
    byte[] block(String... fields) {
        byte[] out = new byte[64 * 1024];
        int at = encoder.begin(out, 0);
        for (int i = 0; i < fields.length; i += 2) {
            at = encoder.encode(fields[i], fields[i + 1], out, at);
        }
        return Arrays.copyOf(out, at);
    }

    byte[] headers(int streamId, boolean endsStream, String... fields) {
        return frame(HEADERS, END_HEADERS | (endsStream ? END_STREAM : 0), streamId, block(fields));
    }

    /** Has a client's connection open a stream and send a GET, whose frames are dropped. Returns the stream. */
    Channel ask(ChannelPipeline pipeline) {
        Channel stream = Http2ClientConnection.of(channel).open(pipeline).getChannel();
        stream.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        lines();
        return stream;
    }

    byte[] get(int streamId, String path, String... more) {
        return request(streamId, true, "GET", path, more);
    }

    byte[] request(int streamId, boolean endsStream, String method, String path, String... more) {
        List<String> fields = new ArrayList<>(
                List.of(":method", method, ":scheme", "http", ":authority", "example.com", ":path", path));
        fields.addAll(List.of(more));
        return headers(streamId, endsStream, fields.toArray(new String[0]));
    }

    static byte[] data(int streamId, boolean endsStream, String content) {
        return frame(DATA, endsStream ? END_STREAM : 0, streamId, content.getBytes(ISO_8859_1));
    }

    static byte[] windowUpdate(int streamId, int increment) {
        return frame(WINDOW_UPDATE, 0, streamId, ints(increment));
    }

    static byte[] reset(int streamId, Http2Error error) {
        return frame(RST_STREAM, 0, streamId, ints(error.code()));
    }

    static byte[] setting(int id, int value) {
        return frame(
                SETTINGS,
                0,
                0,
                ByteBuffer.allocate(6).putShort((short) id).putInt(value).array());
    }

    // ---- frames received ----

    /** In how many messages the frames arrived that {@link #lines} returned last. */
    int messages() {
        return messages;
    }

    private ChannelBuffer takeBytes() {
        List<Object> written = channel.takeWritten();
        messages = written.size();
        ChannelBuffer bytes = ChannelBuffers.dynamicBuffer();
        for (Object message : written) {
            bytes.writeBytes((ChannelBuffer) message);
        }
        return bytes;
    }

    record Frame(int type, int flags, int streamId, ChannelBuffer payload) {}

    /** The frames received since the last call. */
    List<Frame> frames() {
        received.writeBytes(takeBytes());
        List<Frame> frames = new ArrayList<>();
        while (received.readableBytes() >= 9) {
            int length = received.readUnsignedMedium();
            int type = received.readUnsignedByte();
            int flags = received.readUnsignedByte();
            int streamId = received.readInt();
            frames.add(new Frame(type, flags, streamId, received.readBytes(length)));
        }
        return frames;
    }

    /** The same, one line each; the content of DATA over 20 octets is shown as its length. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        frames().forEach(frame -> lines.add(line(frame.type, frame.flags, frame.streamId, frame.payload)));
        return lines;
    }

    private String line(int type, int flags, int streamId, ChannelBuffer payload) {
        StringBuilder line = new StringBuilder(NAMES[type]);
        boolean isAck = (type == SETTINGS || type == PING) && (flags & ACK) != 0;
        line.append(streamId == 0 ? "" : " " + streamId).append(isAck ? " ACK" : "");
        switch (type) {
            case DATA ->
                line.append(' ')
                        .append(
                                payload.readableBytes() > 20
                                        ? payload.readableBytes()
                                        : "'" + payload.toString(ISO_8859_1) + "'");
            case HEADERS -> line.append(fields(payload));
            case RST_STREAM -> line.append(' ').append(Http2Error.of(payload.readInt()));
            case GOAWAY ->
                line.append(' ').append(payload.readInt()).append(' ').append(Http2Error.of(payload.readInt()));
            case WINDOW_UPDATE -> line.append(' ').append(payload.readInt());
            default -> {}
        }
        boolean endsStream = (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
        return line.append(endsStream ? " END" : "").toString();
    }

    private String fields(ChannelBuffer block) {
        StringBuilder line = new StringBuilder();
        List<String> fields = decoded(block);
        for (int i = 0; i < fields.size(); i += 2) {
            line.append(' ').append(fields.get(i)).append('=').append(fields.get(i + 1));
        }
        return line.toString();
    }

    /** Names and values, alternating; blocks must be passed in the order received. */
    List<String> decoded(ChannelBuffer block) {
        List<String> fields = new ArrayList<>();
        byte[] octets = new byte[block.readableBytes()];
        block.readBytes(octets);
        try {
            decoder.decode(octets, 0, octets.length, (name, value, never) -> fields.addAll(List.of(name, value)));
        } catch (HpackException e) {
            throw new AssertionError(e);
        }
        return fields;
    }
}
