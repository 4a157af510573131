package org.freshet.handler.codec.spdy;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;

/**
 * Applies each written frame to its stream or to the session. Invalid writes fail.
 *
 * <p>I/O thread only.
 */
final class SpdyWriter {
    private final SpdySession session;
    private final SpdyStreams streams;
    private final SpdySender sender;

    SpdyWriter(SpdySession session) {
        this.session = session;
        streams = session.streams;
        sender = session.sender;
    }

    void write(ChannelHandlerContext ctx, SpdyStream.Waiting frame) {
        try {
            String refusal = refusal(ctx, frame);
            if (refusal != null) {
                sender.fail(ctx, frame, new SpdyProtocolException(refusal));
            }
        } catch (SpdyProtocolException abuse) {
            sender.fail(ctx, frame, abuse);
            session.fail(ctx, abuse);
        } catch (RuntimeException failure) {
            sender.fail(ctx, frame, failure);
            Channels.fireExceptionCaught(ctx, failure);
        }
    }

    /** Sends the message or makes it wait. Returns null, or the reason why it was rejected. */
    private String refusal(ChannelHandlerContext ctx, SpdyStream.Waiting waiting) throws SpdyProtocolException {
        if (waiting.written.write() instanceof PeerCausedWrite) {
            session.countAnswer(waiting.written);
        }
        Object message = waiting.written.getMessage();
        if (message instanceof SpdyDataFrame frame) {
            return writeOnStream(ctx, waiting, frame);
        }
        if (message instanceof SpdySynStreamFrame frame) {
            return writeSynStream(ctx, waiting, frame);
        }
        if (message instanceof SpdySynReplyFrame frame) {
            return streams.isRemoteId(frame.getStreamId())
                    ? writeOnStream(ctx, waiting, frame)
                    : "SYN_REPLY to a stream opened by this side: " + frame.getStreamId();
        }
        if (message instanceof SpdyHeadersFrame frame) {
            return writeOnStream(ctx, waiting, frame);
        }
        if (message instanceof SpdyGoAwayFrame || message instanceof SpdyWindowUpdateFrame) {
            return "only the session handler may send this frame: "
                    + message.getClass().getSimpleName();
        }
        if (message instanceof SpdyPingFrame frame) {
            if (streams.isRemoteId(frame.getId())) {
                return "PING with an ID reserved for the peer: " + frame.getId();
            }
            session.onPingWritten();
        } else if (message instanceof SpdySettingsFrame frame) {
            session.applyOwn(frame);
        } else if (message instanceof SpdyRstStreamFrame frame) {
            session.dropStream(
                    ctx, frame.getStreamId(), new SpdyProtocolException("the stream was reset: " + frame.getStatus()));
        }
        sender.pass(ctx, waiting);
        return null;
    }

    private String writeOnStream(ChannelHandlerContext ctx, SpdyStream.Waiting waiting, SpdyStreamFrame frame) {
        int id = frame.getStreamId(); // first: a frame of a user's class may end the stream
        SpdyStream stream = streams.get(id);
        if (stream == null || stream.sending != SpdyStream.Sending.OPEN) {
            return "this side cannot send on the stream: " + id;
        }
        sender.write(ctx, stream, waiting);
        session.closeIfDrained(ctx);
        return null;
    }

    private String writeSynStream(ChannelHandlerContext ctx, SpdyStream.Waiting waiting, SpdySynStreamFrame frame) {
        int id = frame.getStreamId();
        if (streams.isRemoteId(id)) {
            return "SYN_STREAM with an ID reserved for the peer: " + id;
        }
        if (streams.get(id) != null) {
            return "SYN_STREAM with the ID of an open stream: " + id;
        }
        if (!session.acceptsStreams()) {
            return "SYN_STREAM in a session that is ending: " + id;
        }
        if (streams.count(false) >= session.maxOwnStreams()) {
            return "SYN_STREAM exceeds the peer's limit of " + session.maxOwnStreams() + " open streams";
        }
        session.openByUs(frame);
        sender.pass(ctx, waiting);
        return null;
    }
}
