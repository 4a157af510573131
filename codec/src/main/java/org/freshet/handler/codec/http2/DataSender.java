package org.freshet.handler.codec.http2;

import org.freshet.buffer.ChannelBuffer;

/**
 * Formats what streams send, as far as windows allow: heads at once, content in the scheduler's order and only a little ahead of
 * the socket, so that what becomes urgent later is still sent early. Content of one stream that waits shares frames.
 *
 * <p>Belongs to the thread of its connection.
 */
final class DataSender {
    /**
     * What may be formatted and not have left: a batch. One of 64 KiB, or longer by a header, is cut by TCP, whose segments are
     * shorter, and the short rest costs a segment or a system call of its own; it is also more than the channel's high mark.
     */
    static final int FORMATTED_AHEAD = 63 * 1024;

    private static final int MAX_FRAME = 16 * 1024;

    /** Octets that may wait for the socket, heads of answers above all, while further requests are taken. */
    private static final int MAX_BACKLOG = 512 * 1024;

    /** Room for content that is left unused: a frame this short is not worth its header. */
    private static final int SMALLEST_ROOM = 1024;

    private final Connection connection;
    private final FrameWriter writer;
    private final PeerSettings peer;
    private final SendScheduler scheduler = new SendScheduler();

    /** What the peer lets us send on all streams. */
    private long window = PeerSettings.DEFAULT_WINDOW_SIZE;

    // What has been formatted and completes when its batch has left; null while there is nothing.
    private Outgoing firstFormatted;
    private Outgoing lastFormatted;

    /** Parts of messages in the batch; null for none. */
    private PartialWrite parts;

    private long inFlight;

    /** Octets of content since {@link #isHeldByPeer} was asked. */
    private long sent;

    private long totalSent;

    DataSender(Connection connection, FrameWriter writer, PeerSettings peer) {
        this.connection = connection;
        this.writer = writer;
        this.peer = peer;
    }

    /** Whether something is to be completed with the next batch. Empty content has no frame, so that the batch may be empty. */
    boolean hasFormatted() {
        return firstFormatted != null;
    }

    /** Takes what is to be completed with the batch that is sent now: the first of a chain, or null. */
    Outgoing takeFormatted() {
        Outgoing taken = firstFormatted;
        firstFormatted = null;
        lastFormatted = null;
        return taken;
    }

    /** Takes the parts of messages whose rest isn't in the batch: the first of a chain, or null. */
    PartialWrite takeParts() {
        PartialWrite taken = parts;
        parts = null;
        return taken;
    }

    /** Octets that were given to the channel and have not left. */
    long inFlight() {
        return inFlight;
    }

    /** Whether more waits for the socket than content, which isn't formatted so far ahead, can be. */
    boolean isBacklogged() {
        return inFlight > MAX_BACKLOG;
    }

    /** Octets of content that all streams have sent. */
    long totalSent() {
        return totalSent;
    }

    /** Whether the peer's window for all streams has let pass nothing to speak of since it was asked last, and lets pass none now. */
    boolean isHeldByPeer() {
        boolean isHeld = window <= 0 && sent < ConnectionDeadlines.PROGRESS;
        sent = 0;
        return isHeld;
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
    void sendHead(StreamChannel channel, FieldList fields, boolean endsStream, Outgoing outgoing) {
        writer.writeFields(channel.stream.id(), fields, endsStream, peer.maxFrameSize());
        if (endsStream) {
            channel.stream.endLocal();
        }
        if (outgoing != null) {
            addFormatted(outgoing);
        }
    }

    void send(Outgoing outgoing) {
        StreamChannel channel = outgoing.channel;
        Stream stream = channel.stream;
        stream.enqueue(outgoing);
        if (stream.first() == outgoing && outgoing.remaining() == 0) {
            finishEmpty(stream);
        } else {
            schedule(stream);
        }
        channel.onQueueChanged();
    }

    /** The stream has ended. */
    void forget(Stream stream) {
        scheduler.remove(stream);
    }

    void setPriority(Stream stream, Http2Priority priority) {
        scheduler.remove(stream);
        stream.setPriority(priority);
        schedule(stream);
    }

    /** To be called when a stream's window or queue has grown. */
    void schedule(Stream stream) {
        if (stream.isSendable()) {
            scheduler.add(stream);
        }
    }

    /** Formats as much as may be formatted now. */
    void pump() {
        while (window > 0 && room() >= SMALLEST_ROOM && connection.channel().isWritable()) {
            Stream stream = scheduler.poll();
            if (stream == null) {
                return;
            }
            if (stream.isSendable()) {
                formatFrame(stream);
            }
        }
    }

    /** Octets of content that one more frame may have now. */
    private long room() {
        return FORMATTED_AHEAD - inFlight - writer.length() - FrameType.HEADER_LENGTH;
    }

    private void formatFrame(Stream stream) {
        long allowed = Math.min(Math.min(window, stream.sendWindow()), room());
        int limit = (int) Math.min(allowed, Math.min(peer.maxFrameSize(), MAX_FRAME));
        Outgoing first = stream.first();
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
        sent += length;
        totalSent += length;
        connection.guard().onDataSent(length);
        stream.addSendWindow(-length);
        stream.onSent(length);
        finishEmpty(stream);
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
            finish(stream);
        } else {
            parts = PartialWrite.add(parts, region);
        }
        return length;
    }

    private int formatContent(Stream stream, int limit) {
        int length = 0;
        boolean endsStream = false;
        boolean goesOn = true;
        for (Outgoing outgoing = stream.first(); goesOn; outgoing = outgoing.next) {
            int count = (int) Math.min(limit - length, outgoing.remaining());
            length += outgoing.isRegion() ? 0 : count;
            boolean isWhole = !outgoing.isRegion() && count == outgoing.remaining() && outgoing.trailers == null;
            endsStream = isWhole && outgoing.endsStream;
            goesOn = isWhole && !stream.isLast(outgoing);
        }
        writer.writeDataHeader(stream.id(), length, endsStream);
        int left = length;
        while (left > 0) {
            Outgoing outgoing = stream.first();
            int count = (int) Math.min(left, outgoing.remaining());
            outgoing.write(writer, count);
            left -= count;
            if (outgoing.remaining() == 0 && outgoing.trailers == null) {
                finish(stream);
            } else {
                parts = PartialWrite.add(parts, outgoing);
            }
        }
        while (endsStream && stream.first() != null) {
            finish(stream); // empty chunks, the last of which ends the message
        }
        return length;
    }

    /** The first of a stream's queue is formatted to its end. */
    private void finish(Stream stream) {
        Outgoing outgoing = stream.dequeue();
        addFormatted(outgoing);
        if (outgoing.endsStream) {
            stream.endLocal();
        }
    }

    private void addFormatted(Outgoing outgoing) {
        if (lastFormatted == null) {
            firstFormatted = outgoing;
        } else {
            lastFormatted.next = outgoing;
        }
        lastFormatted = outgoing;
    }

    /** Formats what needs no window: empty content, and the end of a message. */
    private void finishEmpty(Stream stream) {
        for (Outgoing outgoing = stream.first();
                outgoing != null && outgoing.remaining() == 0;
                outgoing = stream.first()) {
            if (outgoing.trailers != null) {
                writer.writeFields(stream.id(), outgoing.trailers, true, peer.maxFrameSize());
            } else if (outgoing.endsStream) {
                writer.writeDataHeader(stream.id(), 0, true);
            }
            finish(stream);
        }
    }
}
