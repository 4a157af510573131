package org.freshet.handler.codec.spdy;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.Holding;

/**
 * Sends the data of a session's streams as far as the peer's windows allow, and keeps the rest, which stays charged to the
 * channel's account. Frames with headers that are written after waiting data wait too, so the order is kept. I/O thread only.
 */
final class SpdySender {
    private final SpdyStreams streams;
    private final SpdyAbuseGuard guard;
    private final Holding holding;

    /** Bytes the peer accepts on all streams together. */
    private long sessionWindow;

    /** Bytes of data since the last call of {@link #isHeldByPeer}. */
    private long sent;

    /**
     * Whether a frame is being passed to the handlers below, where it may cause events. Anything sent by those events follows
     * it.
     */
    private boolean isSending;

    /** Whether something else was to be sent meanwhile. */
    private boolean isAskedMeanwhile;

    SpdySender(SpdyStreams streams, SpdyAbuseGuard guard, Holding holding, int sessionWindow) {
        this.streams = streams;
        this.guard = guard;
        this.holding = holding;
        this.sessionWindow = sessionWindow;
    }

    /** Sends a written DATA or HEADERS frame now or later. Its stream must accept it. */
    void write(ChannelHandlerContext ctx, SpdyStream stream, SpdyStream.Waiting frame) {
        if (frame.isLast) {
            stream.sending = SpdyStream.Sending.ENDING;
        }
        boolean isTaken = false;
        try {
            stream.waiting.add(frame);
            flush(ctx, stream);
            isTaken = true;
        } finally {
            if (!isTaken && stream.sending == SpdyStream.Sending.ENDING) {
                stream.sending = SpdyStream.Sending.OPEN; // the last frame fails, so the stream is reset
            }
        }
    }

    /** Returns false if the window overflows. */
    boolean widen(SpdyStream stream, int delta) {
        stream.sendWindow += delta;
        return stream.sendWindow <= Integer.MAX_VALUE;
    }

    /** Returns false if the window overflows. */
    boolean widenSession(int delta) {
        sessionWindow += delta;
        return sessionWindow <= Integer.MAX_VALUE;
    }

    /** Whether the session's window is exhausted and has allowed almost nothing since the last call. */
    boolean isHeldByPeer() {
        boolean isHeld = sessionWindow <= 0 && sent < SpdyDeadlines.PROGRESS;
        sent = 0;
        return isHeld;
    }

    void flushAll(ChannelHandlerContext ctx) {
        for (SpdyStream stream : streams.byUrgency()) {
            flush(ctx, stream);
        }
    }

    void flush(ChannelHandlerContext ctx, SpdyStream stream) {
        if (isSending) {
            isAskedMeanwhile = true;
            return;
        }
        isSending = true;
        try {
            sendAll(ctx, stream);
            while (isAskedMeanwhile) {
                isAskedMeanwhile = false;
                for (SpdyStream each : streams.byUrgency()) {
                    sendAll(ctx, each);
                }
            }
        } finally {
            isSending = false;
        }
    }

    private void sendAll(ChannelHandlerContext ctx, SpdyStream stream) {
        // A write that fails immediately can run listeners that reset the stream.
        while (streams.get(stream.id) == stream && !stream.waiting.isEmpty() && sendNext(ctx, stream)) {}
    }

    /** Returns whether the first waiting frame was sent completely. */
    private boolean sendNext(ChannelHandlerContext ctx, SpdyStream stream) {
        SpdyStream.Waiting next = stream.waiting.peek();
        int length = next.data == null ? 0 : next.data.readableBytes();
        int allowed = (int) Math.min(length, Math.min(stream.sendWindow, sessionWindow));
        if (length > 0 && allowed <= 0) {
            return false;
        }
        boolean isRest = allowed == length;
        boolean isAsWritten = isRest && next.isAsWritten(stream.id);
        if (stream.waiting.peek() != next) {
            return true; // the frame's own code has ended the stream
        }
        MessageEvent e = isRest
                ? rest(ctx, stream, next, isAsWritten)
                : part(ctx, stream, next, allowed); // first: then nothing is taken without memory
        if (length > 0) {
            stream.sendWindow -= allowed;
            sessionWindow -= allowed;
            sent += allowed;
            stream.onSent(allowed);
            guard.onDataSent(allowed);
        }
        if (isRest) {
            stream.waiting.remove();
            onLeaving(stream, next);
            holding.passOn(ctx, e, next.takeCharge());
        } else {
            next.data.skipBytes(allowed);
            next.isSplit = true;
            holding.passOn(ctx, e, next.takePartsCharge());
        }
        return isRest;
    }

    private void onLeaving(SpdyStream stream, SpdyStream.Waiting next) {
        if (next.isLast) {
            stream.sending = SpdyStream.Sending.CLOSED;
            if (stream.isClosed()) {
                streams.remove(stream.id);
            }
        }
    }

    private static MessageEvent part(
            ChannelHandlerContext ctx, SpdyStream stream, SpdyStream.Waiting next, int length) {
        ChannelFuture part = Channels.future(ctx.getChannel());
        MessageEvent e = next.written;
        part.addListener(sent -> {
            if (!sent.isSuccess()) {
                e.getFuture().setFailure(sent.getCause());
            }
        });
        ChannelBuffer piece = next.data.slice(next.data.readerIndex(), length);
        return write(ctx, part, data(stream, piece, false), e);
    }

    private static MessageEvent rest(
            ChannelHandlerContext ctx, SpdyStream stream, SpdyStream.Waiting next, boolean isAsWritten) {
        HeldWrite e = next.written;
        return isAsWritten ? e.write() : write(ctx, e.getFuture(), data(stream, next.data, next.isLast), e);
    }

    private static MessageEvent write(
            ChannelHandlerContext ctx, ChannelFuture future, SpdyDataFrame frame, MessageEvent of) {
        return new DownstreamMessageEvent(ctx.getChannel(), future, frame, of.getRemoteAddress());
    }

    /** The stream has ended: fails everything that waits on it. */
    void drop(ChannelHandlerContext ctx, SpdyStream stream, Throwable cause) {
        for (SpdyStream.Waiting frame; (frame = stream.waiting.poll()) != null; ) {
            fail(ctx, frame, cause);
        }
    }

    /** Sends a frame that needs no window. */
    void pass(ChannelHandlerContext ctx, SpdyStream.Waiting frame) {
        holding.passOn(ctx, frame.written.write(), frame.takeCharge());
    }

    void fail(ChannelHandlerContext ctx, SpdyStream.Waiting frame, Throwable cause) {
        holding.release(ctx.getChannel(), frame.takeCharge());
        Holding.complete(frame.written, cause);
    }

    private static SpdyDataFrame data(SpdyStream stream, ChannelBuffer data, boolean last) {
        SpdyDataFrame frame = new DefaultSpdyDataFrame(stream.id);
        frame.setData(data);
        frame.setLast(last);
        return frame;
    }
}
