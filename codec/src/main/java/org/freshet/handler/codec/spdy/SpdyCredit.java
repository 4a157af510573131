package org.freshet.handler.codec.spdy;

import org.freshet.channel.ChannelHandlerContext;

/**
 * How many bytes the peer may send: on all streams together, and on each. What has arrived is given back to the windows when handlers get it,
 * so that they bound what waits for handlers that don't read. A window is renewed when half of it has been given back.
 *
 * <p>I/O thread only, except {@link #setSessionBytes}.
 */
final class SpdyCredit {
    private final SpdySession session;

    /** What the session's window is renewed to. */
    private volatile int sessionBytes = SpdySession.DEFAULT_WINDOW_BYTES;

    private long sessionWindow = SpdySession.DEFAULT_WINDOW_BYTES;

    /** Bytes that have arrived and that handlers have not seen. */
    private long sessionHeld;

    SpdyCredit(SpdySession session) {
        this.session = session;
    }

    /** Any thread. */
    void setSessionBytes(int bytes) {
        sessionBytes = bytes;
    }

    /** So many bytes of data have arrived; returns false if these are more than the peer may send. */
    boolean take(int length) {
        sessionWindow -= length;
        sessionHeld += length;
        return sessionWindow >= 0;
    }

    /** So many of them are data of that stream; returns false if these are more than the peer may send on it. */
    boolean takeOn(SpdyStream stream, int length) {
        stream.receiveWindow -= length;
        stream.held += length;
        return stream.receiveWindow >= stream.receiveWindowFloor;
    }

    /** Handlers get the data now. */
    void giveBack(ChannelHandlerContext ctx, SpdyDataFrame frame) {
        int length = frame.getData().readableBytes();
        giveBack(ctx, length);
        SpdyStream stream = session.streams.get(frame.getStreamId());
        if (stream != null) {
            stream.held -= length;
            renewIfHalf(ctx, stream);
        }
    }

    /** Of the data that has arrived, so many bytes are no longer needed, and belong to no stream. */
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
