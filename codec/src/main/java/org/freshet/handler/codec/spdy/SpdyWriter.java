package org.freshet.handler.codec.spdy;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;

/**
 * What each written frame does to its stream or to the session. Writes against the rules fail.
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

    /** Sends the message or makes it wait. Returns why not, or null. */
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
                    : "SYN_REPLY to a stream of this side: " + frame.getStreamId();
        }
        if (message instanceof SpdyHeadersFrame frame) {
            return writeOnStream(ctx, waiting, frame);
        }
        if (message instanceof SpdyGoAwayFrame || message instanceof SpdyWindowUpdateFrame) {
            return "the session handler itself sends such frames: "
                    + message.getClass().getSimpleName();
        }
        if (message instanceof SpdyPingFrame frame) {
            if (streams.isRemoteId(frame.getId())) {
                return "PING with an ID of the peer's: " + frame.getId();
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
        SpdyStream stream = streams.get(frame.getStreamId());
        if (stream == null || stream.sending != SpdyStream.Sending.OPEN) {
            return "no such stream that this side may send on: " + frame.getStreamId();
        }
        sender.write(ctx, stream, waiting);
        session.closeIfDrained(ctx);
        return null;
    }

    private String writeSynStream(ChannelHandlerContext ctx, SpdyStream.Waiting waiting, SpdySynStreamFrame frame) {
        int id = frame.getStreamId();
        if (streams.isRemoteId(id)) {
            return "SYN_STREAM with an ID of the peer's: " + id;
        }
        if (streams.get(id) != null) {
            return "SYN_STREAM with the ID of an open stream: " + id;
        }
        if (!session.takesStreams()) {
            return "SYN_STREAM in a session that ends: " + id;
        }
        if (streams.count(false) >= session.maxOwnStreams()) {
            return "open streams of this side >= " + session.maxOwnStreams() + ", the peer's limit";
        }
        session.openByUs(frame);
        sender.pass(ctx, waiting);
        return null;
    }
}
