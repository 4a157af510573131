package org.freshet.handler.codec.http2;

import org.freshet.buffer.ChannelBuffer;

/**
 * Formats the output of streams, as far as windows allow. Heads are formatted immediately, content in the scheduler's order and
 * only a little ahead of the socket, so data that becomes urgent later is still sent early. Waiting content of one stream
 * shares frames.
 *
 * <p>Belongs to its connection's thread.
 */
final class DataSender {
    /**
     * The most octets that are formatted but unsent: one batch. TCP would cut 64 KiB, or a header more, into its own segments,
     * and the short rest would cost an extra segment or system call. It would also exceed the channel's high mark.
     */
    static final int FORMATTED_AHEAD = 63 * 1024;

    private static final int MAX_FRAME = 16 * 1024;

    /** Octets, mainly heads of answers, that may wait for the socket before further requests are refused. */
    private static final int MAX_BACKLOG = 512 * 1024;

    /** Room for content that is left unused: a frame this short isn't worth its header. */
    private static final int SMALLEST_ROOM = 1024;

    private final Connection connection;
    private final FrameWriter writer;
    private final PeerSettings peer;
    private final SendScheduler scheduler = new SendScheduler();

    /** Octets the peer lets us send on all streams. */
    private long window = PeerSettings.DEFAULT_WINDOW_SIZE;

    // Formatted messages, which complete when their batch is sent; null if no such message waits.
    private Outgoing firstFormatted;
    private Outgoing lastFormatted;

    /** Messages of which the batch contains only a part; null if the batch contains none. */
    private PartialWrite parts;

    private long inFlight;

    /** Octets of content since the last call of {@link #isHeldByPeer}. */
    private long sent;

    private long totalSent;

    DataSender(Connection connection, FrameWriter writer, PeerSettings peer) {
        this.connection = connection;
        this.writer = writer;
        this.peer = peer;
    }

    /** Whether the next batch completes something. Empty content has no frame, so the batch itself may be empty. */
    boolean hasFormatted() {
        return firstFormatted != null;
    }

    /** Takes the messages that complete with the batch being sent: the first of a chain, or null. */
    Outgoing takeFormatted() {
        Outgoing taken = firstFormatted;
        firstFormatted = null;
        lastFormatted = null;
        return taken;
    }

    /** Takes the messages of which the batch contains only a part: the first of a chain, or null. */
    PartialWrite takeParts() {
        PartialWrite taken = parts;
        parts = null;
        return taken;
    }

    /** Octets passed to the channel and not yet sent. */
    long inFlight() {
        return inFlight;
    }

    /** Whether the socket's backlog is larger than content can make it: content isn't formatted that far ahead. */
    boolean isBacklogged() {
        return inFlight > MAX_BACKLOG;
    }

    /** Octets of content sent on all streams. */
    long totalSent() {
        return totalSent;
    }

    /** Whether the connection window is exhausted and has allowed almost nothing since the last call. */
    boolean isHeldByPeer() {
        boolean isHeld = window <= 0 && sent < ConnectionDeadlines.PROGRESS;
        sent = 0;
        return isHeld;
    }

    void addInFlight(long octets) {
        inFlight += octets;
    }

    /** Returns false if the window exceeds the limit of RFC 9113 6.9.1. */
    boolean addWindow(int octets) {
        window += octets;
        return window <= Integer.MAX_VALUE;
    }

    // ---- output of streams ----

    /** @param outgoing completed when the head has been sent, or null */
    void sendHead(StreamChannel channel, FieldList fields, boolean endsStream, Outgoing outgoing) {
        writer.writeFields(channel.stream.id(), fields, endsStream, peer.maxFrameSize());
        channel.stream.onHeadSent();
        if (endsStream) {
            channel.stream.endLocal();
        }
        if (outgoing != null) {
            addFormatted(outgoing);
        }
    }

    void send(Outgoing outgoing) {
        Stream stream = outgoing.channel.stream;
        stream.enqueue(outgoing);
        if (outgoing.remaining() == 0) {
            finishEmpty(stream); // unless content waits before it
        } else {
            schedule(stream);
        }
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

    /** Call this when a stream's window or queue has grown. */
    void schedule(Stream stream) {
        if (stream.isSendable()) {
            scheduler.add(stream);
        }
    }

    /** Formats as much as is allowed now. */
    void pump() {
        while (window > 0 && room() >= SMALLEST_ROOM && connection.channel().isWritable()) {
            Stream stream = scheduler.poll();
            if (stream == null) {
                return;
            }
            if (stream.isSendable() && !stream.first().isBeingRead()) {
                formatOrBreak(stream);
            }
        }
    }

    /** Without memory, part of a frame may be taken from the stream but neither counted nor sent: no other can follow. */
    private void formatOrBreak(Stream stream) {
        try {
            formatFrame(stream);
        } catch (VirtualMachineError noMemory) {
            writer.breakOff();
            throw noMemory;
        }
    }

    /** Octets of content allowed in one more frame. */
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
        sent += length;
        totalSent += length;
        connection.guard().onDataSent(length);
        stream.onSent(length);
        finishEmpty(stream);
        if (stream.isSendable()) {
            scheduler.addAgain(stream);
        }
        stream.channel.onQueueChanged();
    }

    /** Takes octets from both windows; gives them back if the number is negative. */
    private void takeWindow(Stream stream, int octets) {
        window -= octets;
        stream.addSendWindow(-octets);
    }

    /** Returns -1 if the file could not be read. The stream has been reset; without memory, the rest of its end follows later. */
    private int formatRegion(Stream stream, Outgoing region, int limit) {
        int length = (int) Math.min(limit, region.remaining());
        takeWindow(stream, length); // first: a user's region may close another stream, which then sends what it has
        ChannelBuffer piece = readOrFail(stream, region, length);
        if (piece == null) {
            takeWindow(stream, -length);
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

    /** Returns null if the stream has ended: the file could not be read, or the region's own code has ended the stream. */
    private ChannelBuffer readOrFail(Stream stream, Outgoing region, int length) {
        try {
            return region.read(length);
        } catch (Throwable t) {
            connection.streams().fail(stream.channel, t);
            return null;
        }
    }

    private int formatContent(Stream stream, int limit) {
        int length = 0;
        boolean endsStream = false;
        boolean hasMore = true;
        for (Outgoing outgoing = stream.first(); hasMore; outgoing = outgoing.next) {
            int count = (int) Math.min(limit - length, outgoing.remaining());
            length += outgoing.isRegion() ? 0 : count;
            boolean isWhole = !outgoing.isRegion() && count == outgoing.remaining() && outgoing.trailers == null;
            endsStream = isWhole && outgoing.endsStream;
            hasMore = isWhole && !stream.isLast(outgoing);
        }
        takeWindow(stream, length);
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
            finish(stream); // empty chunks; the last of them ends the message
        }
        return length;
    }

    /** The first entry of a stream's queue is completely formatted. */
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
