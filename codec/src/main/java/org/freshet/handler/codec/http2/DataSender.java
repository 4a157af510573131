package org.freshet.handler.codec.http2;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;

/**
 * Formats what streams send, as far as windows allow: heads at once, content in the scheduler's order and only a little ahead of
 * the socket, so that what becomes urgent later is still sent early. Content of one stream that waits shares frames.
 *
 * <p>Belongs to the thread of its connection.
 */
final class DataSender {
    /** Content that is formatted and has not left: as much as the transport sends at once. */
    private static final int FORMATTED_AHEAD = 64 * 1024;

    private static final int MAX_FRAME = 16 * 1024;

    /** What has been formatted and completes when its batch has left. */
    record Formatted(StreamChannel channel, Outgoing outgoing) {}

    private final Connection connection;
    private final FrameWriter writer;
    private final PeerSettings peer;
    private final SendScheduler scheduler = new SendScheduler();

    /** What the peer lets us send on all streams. */
    private long window = PeerSettings.DEFAULT_WINDOW_SIZE;

    private ArrayList<Formatted> formatted = new ArrayList<>();
    private long inFlight;

    DataSender(Connection connection, FrameWriter writer, PeerSettings peer) {
        this.connection = connection;
        this.writer = writer;
        this.peer = peer;
    }

    /** Takes what is to be completed with the batch that is sent now. */
    List<Formatted> takeFormatted() {
        if (formatted.isEmpty()) {
            return List.of();
        }
        ArrayList<Formatted> taken = formatted;
        formatted = new ArrayList<>();
        return taken;
    }

    void addInFlight(long octets) {
        inFlight += octets;
    }

    /** Returns false if the window becomes larger than RFC 9113 6.9.1 allows. */
    boolean addWindow(int octets) {
        window += octets;
        return window <= Integer.MAX_VALUE;
    }

    // ---- what streams send ----

    /** @param outgoing to be completed when the head has left, or null */
    void sendHead(StreamChannel channel, List<String> fields, boolean endsStream, Outgoing outgoing) {
        writer.writeFields(channel.stream.id(), fields, endsStream, peer.maxFrameSize());
        if (endsStream) {
            channel.stream.endLocal();
        }
        if (outgoing != null) {
            formatted.add(new Formatted(channel, outgoing));
        }
    }

    void send(StreamChannel channel, Outgoing outgoing) {
        Stream stream = channel.stream;
        stream.enqueue(outgoing);
        if (stream.queue().peek() == outgoing && outgoing.remaining() == 0) {
            finishEmpty(channel);
        } else {
            schedule(stream);
        }
        channel.onQueueChanged();
    }

    /** To be called when a stream's window or queue has grown. */
    void schedule(Stream stream) {
        if (stream.isSendable()) {
            scheduler.add(stream);
        }
    }

    /** Formats as much as may be formatted now. */
    void pump() {
        while (window > 0
                && inFlight + writer.length() < FORMATTED_AHEAD
                && connection.channel().isWritable()) {
            Stream stream = scheduler.poll();
            if (stream == null) {
                return;
            }
            if (stream.isSendable()) {
                formatFrame(stream);
            }
        }
    }

    private void formatFrame(Stream stream) {
        int limit = (int) Math.min(Math.min(Math.min(peer.maxFrameSize(), MAX_FRAME), stream.sendWindow()), window);
        Outgoing first = stream.queue().peek();
        int length;
        if (first.isRegion()) {
            length = formatRegion(stream, first, limit);
        } else {
            length = formatContent(stream, limit);
        }
        if (length < 0) {
            return;
        }
        window -= length;
        stream.addSendWindow(-length);
        finishEmpty(stream.channel);
        if (stream.isSendable()) {
            scheduler.addAgain(stream);
        }
        stream.channel.onQueueChanged();
    }

    /** Returns -1 if the file could not be read, and the stream is reset. */
    private int formatRegion(Stream stream, Outgoing region, int limit) {
        int length = (int) Math.min(limit, region.remaining());
        ChannelBuffer piece;
        try {
            piece = region.read(length);
        } catch (Throwable t) {
            connection.streams().fail(stream.channel, t);
            return -1;
        }
        boolean isWhole = region.remaining() == 0;
        boolean endsStream = isWhole && region.endsStream;
        writer.writeDataHeader(stream.id(), length, endsStream);
        writer.writeContent(piece, 0, length);
        if (isWhole) {
            stream.queue().remove();
            addFormatted(stream, region, endsStream);
        }
        return length;
    }

    private int formatContent(Stream stream, int limit) {
        int length = 0;
        boolean endsStream = false;
        for (Outgoing outgoing : stream.queue()) {
            int count = (int) Math.min(limit - length, outgoing.remaining());
            length += outgoing.isRegion() ? 0 : count;
            if (outgoing.isRegion() || count < outgoing.remaining() || outgoing.trailers != null) {
                break;
            }
            endsStream = outgoing.endsStream;
        }
        writer.writeDataHeader(stream.id(), length, endsStream);
        int left = length;
        while (left > 0) {
            Outgoing outgoing = stream.queue().peek();
            int count = (int) Math.min(left, outgoing.remaining());
            outgoing.write(writer, count);
            stream.dequeued(count);
            left -= count;
            if (outgoing.remaining() == 0 && outgoing.trailers == null) {
                stream.queue().remove();
                addFormatted(stream, outgoing, outgoing.endsStream);
            }
        }
        if (endsStream && !stream.queue().isEmpty()) {
            addFormatted(stream, stream.queue().remove(), true); // an empty last chunk
        }
        return length;
    }

    private void addFormatted(Stream stream, Outgoing outgoing, boolean endsStream) {
        formatted.add(new Formatted(stream.channel, outgoing));
        if (endsStream) {
            stream.endLocal();
        }
    }

    /** Formats what needs no window: empty content, and the end of a message. */
    private void finishEmpty(StreamChannel channel) {
        Stream stream = channel.stream;
        while (!stream.queue().isEmpty() && stream.queue().peek().remaining() == 0) {
            Outgoing outgoing = stream.queue().remove();
            if (outgoing.trailers != null) {
                writer.writeFields(stream.id(), outgoing.trailers, true, peer.maxFrameSize());
            } else if (outgoing.endsStream) {
                writer.writeDataHeader(stream.id(), 0, true);
            }
            addFormatted(stream, outgoing, outgoing.endsStream);
        }
    }
}
