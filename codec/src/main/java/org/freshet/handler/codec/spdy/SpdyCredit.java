package org.freshet.handler.codec.spdy;

import org.freshet.channel.ChannelHandlerContext;

/**
 * Tracks how many bytes the peer may send, on all streams together and on each one. Received bytes are returned to the windows
 * when handlers get them, so the windows bound what waits for handlers that don't read. A window is renewed when half of it has
 * been returned.
 *
 * <p>I/O thread only, except {@link #setSessionBytes}.
 */
final class SpdyCredit {
    private final SpdySession session;

    /** The size to which the session's window is renewed. */
    private volatile int sessionBytes = SpdySession.DEFAULT_WINDOW_BYTES;

    private long sessionWindow = SpdySession.DEFAULT_WINDOW_BYTES;

    /** Bytes that have arrived but that no handler has seen. */
    private long sessionHeld;

    SpdyCredit(SpdySession session) {
        this.session = session;
    }

    /** Any thread. */
    void setSessionBytes(int bytes) {
        sessionBytes = bytes;
    }

    /** This many bytes of data have arrived. Returns false if they exceed the session's window. */
    boolean take(int length) {
        sessionWindow -= length;
        sessionHeld += length;
        return sessionWindow >= 0;
    }

    /** This many bytes have arrived on the stream. Returns false if they exceed its window. */
    boolean takeOn(SpdyStream stream, int length) {
        stream.receiveWindow -= length;
        stream.held += length;
        return stream.receiveWindow >= stream.receiveWindowFloor;
    }

    /** Handlers are getting the data. */
    void giveBack(ChannelHandlerContext ctx, SpdyDataFrame frame) {
        int length = frame.getData().readableBytes();
        giveBack(ctx, length);
        SpdyStream stream = session.streams.get(frame.getStreamId());
        if (stream != null) {
            stream.held -= length;
            renewIfHalf(ctx, stream);
        }
    }

    /** Returns this many received bytes that belong to no stream. */
    void giveBack(ChannelHandlerContext ctx, int length) {
        sessionHeld -= length;
        int full = sessionBytes;
        long left = sessionWindow + sessionHeld;
        if (left <= full / 2 && left < full) {
            sessionWindow += full - left;
            session.send(ctx, new DefaultSpdyWindowUpdateFrame(SpdyWire.SESSION, (int) (full - left)));
        }
    }

    private void renewIfHalf(ChannelHandlerContext ctx, SpdyStream stream) {
        int full = session.streamReceiveBytes();
        long left = stream.receiveWindow + stream.held;
        if (stream.isRemoteClosed || left > full / 2) {
            return;
        }
        stream.receiveWindow += full - left;
        stream.receiveWindowFloor = 0;
        if (left < full) {
            session.send(ctx, new DefaultSpdyWindowUpdateFrame(stream.id, (int) (full - left)));
        }
    }
}
