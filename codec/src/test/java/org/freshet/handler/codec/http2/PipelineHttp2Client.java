package org.freshet.handler.codec.http2;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http2.PipelineAsk.Answer;

/** HTTP/2: each request is a stream, with a small window that grows by the amount read. For one thread. */
final class PipelineHttp2Client extends PipelineClient {
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int WINDOW = 16 * 1024;

    private static final class StreamState {
        final PipelineAsk ask;
        final Answer answer = new Answer();
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        int taken;
        boolean isOver;
        boolean hasHead;

        StreamState(PipelineAsk ask) {
            this.ask = ask;
        }
    }

    private final FramePeer codec = new FramePeer();
    private final Map<Integer, StreamState> streams = new HashMap<>();
    private int nextStream = 1;

    PipelineHttp2Client(Socket plain, Socket socket) throws IOException {
        super(plain, socket);
        write(List.of(Http2ServerHandler.PREFACE, FramePeer.setting(INITIAL_WINDOW_SIZE, WINDOW)));
    }

    private void write(List<byte[]> frames) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        frames.forEach(all::writeBytes);
        socket.getOutputStream().write(all.toByteArray());
        socket.getOutputStream().flush();
    }

    // ---- requests ----

    @Override
    int[] send(PipelineAsk... asks) throws IOException {
        List<byte[]> frames = new ArrayList<>();
        int[] numbers = new int[asks.length];
        for (int i = 0; i < asks.length; i++) {
            PipelineAsk ask = asks[i];
            int id = nextStream;
            nextStream += 2;
            boolean isOpen = ask.isConnect() || ask.headers().containsKey(PipelineAsk.UPGRADE);
            boolean hasContent = ask.content().length > 0;
            frames.add(codec.headers(id, !isOpen && !hasContent, fields(ask)));
            if (hasContent && !ask.isExpecting()) {
                frames.add(FramePeer.frame(FramePeer.DATA, FramePeer.END_STREAM, id, ask.content()));
            }
            streams.put(id, new StreamState(ask));
            numbers[i] = id;
        }
        write(frames);
        return numbers;
    }

    private static String[] fields(PipelineAsk ask) {
        List<String> fields = new ArrayList<>();
        if (ask.isConnect()) {
            fields.addAll(List.of(":method", "CONNECT", ":authority", ask.target()));
        } else {
            boolean upgrades = ask.headers().containsKey(PipelineAsk.UPGRADE);
            fields.addAll(List.of(":method", upgrades ? "CONNECT" : ask.method()));
            if (upgrades) {
                fields.addAll(List.of(":protocol", ask.headers().get(PipelineAsk.UPGRADE)));
            }
            fields.addAll(List.of(":scheme", "http", PipelineAsk.AUTHORITY, ask.authority(), ":path", ask.target()));
        }
        ask.headers().forEach((name, value) -> {
            boolean isOfHttp1 = name.equals("connection") || name.equals("sec-websocket-key");
            if (!name.equals(PipelineAsk.UPGRADE) && !name.equals(PipelineAsk.AUTHORITY) && !isOfHttp1) {
                fields.addAll(List.of(name, value));
            }
        });
        return fields.toArray(new String[0]);
    }

    @Override
    void sendRaw(int number, byte[] bytes) throws IOException {
        write(List.of(FramePeer.frame(FramePeer.DATA, 0, number, bytes)));
    }

    // ---- answers ----

    @Override
    Answer receive(int number) throws IOException {
        StreamState stream = streams.get(number);
        boolean isTunnel = stream.ask.isConnect() || stream.ask.headers().containsKey(PipelineAsk.UPGRADE);
        while (!stream.isOver && !(isTunnel && stream.hasHead && stream.answer.status < 300)) {
            if (!readFrame()) {
                stream.answer.cut = "the end of the connection";
                break;
            }
        }
        stream.answer.content = stream.content.toByteArray();
        return stream.answer;
    }

    @Override
    byte[] receiveRaw(int number, int count) throws IOException {
        StreamState stream = streams.get(number);
        while (stream.content.size() - stream.taken < count) {
            if (stream.isOver || !readFrame()) {
                throw new AssertionError("the stream ended after " + stream.content.size() + " bytes");
            }
        }
        stream.taken += count;
        return java.util.Arrays.copyOfRange(stream.content.toByteArray(), stream.taken - count, stream.taken);
    }

    /** Returns false at the end of the connection. */
    private boolean readFrame() throws IOException {
        int first = readOrEnd();
        if (first < 0) {
            return false;
        }
        int length = first << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int id = in.readInt();
        byte[] payload = in.readNBytes(length);
        boolean isAck = (flags & FramePeer.ACK) != 0;
        if (type == FramePeer.SETTINGS && !isAck) {
            write(List.of(FramePeer.frame(FramePeer.SETTINGS, FramePeer.ACK, 0)));
        } else if (type == FramePeer.PING && !isAck) {
            write(List.of(FramePeer.frame(FramePeer.PING, FramePeer.ACK, 0, payload)));
        } else if (streams.containsKey(id)) {
            onFrame(streams.get(id), type, flags, id, payload);
        }
        return true;
    }

    private void onFrame(StreamState stream, int type, int flags, int id, byte[] payload) throws IOException {
        switch (type) {
            case FramePeer.HEADERS -> onHead(stream, id, codec.decoded(ChannelBuffers.wrappedBuffer(payload)));
            case FramePeer.DATA -> {
                requireOpen(stream, id);
                stream.content.writeBytes(payload);
                allow(id, payload.length, (flags & FramePeer.END_STREAM) != 0);
            }
            case FramePeer.RST_STREAM -> {
                if (!stream.isOver) {
                    stream.answer.cut = "a reset by "
                            + Http2Error.of(
                                    ChannelBuffers.wrappedBuffer(payload).readInt());
                    stream.isOver = true;
                }
            }
            default -> {}
        }
        boolean mayEnd = type == FramePeer.HEADERS || type == FramePeer.DATA;
        stream.isOver |= mayEnd && (flags & FramePeer.END_STREAM) != 0;
    }

    private static void requireOpen(StreamState stream, int id) {
        if (stream.isOver || !stream.hasHead) {
            throw new AssertionError("content that belongs to no answer on stream " + id);
        }
    }

    private void onHead(StreamState stream, int id, List<String> fields) throws IOException {
        if (stream.isOver || stream.hasHead) {
            throw new AssertionError("a second answer on stream " + id + ": " + fields);
        }
        int status = Integer.parseInt(fields.get(1));
        if (status < 200) {
            stream.answer.interim.add(status);
            if (status == 100 && stream.ask.isExpecting()) {
                write(List.of(FramePeer.frame(FramePeer.DATA, FramePeer.END_STREAM, id, stream.ask.content())));
            }
            return;
        }
        stream.hasHead = true;
        stream.answer.status = status;
        for (int i = 2; i < fields.size(); i += 2) {
            stream.answer.add(fields.get(i), fields.get(i + 1));
        }
    }

    private void allow(int id, int bytes, boolean wasLast) throws IOException {
        if (bytes > 0) {
            List<byte[]> updates = new ArrayList<>(List.of(FramePeer.windowUpdate(0, bytes)));
            if (!wasLast) {
                updates.add(FramePeer.windowUpdate(id, bytes));
            }
            write(updates);
        }
    }

    @Override
    void awaitEnd() throws IOException {
        while (readFrame()) {
            // GOAWAY and similar frames; unsolicited answers fail
        }
    }
}
