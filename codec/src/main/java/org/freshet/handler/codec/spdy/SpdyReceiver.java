package org.freshet.handler.codec.spdy;

import org.freshet.channel.ChannelHandlerContext;

/**
 * Applies each received frame to its stream or to the session. An invalid frame resets its stream; a fatal error ends the
 * session.
 *
 * <p>I/O thread only.
 */
final class SpdyReceiver {
    private final SpdySession session;
    private final SpdyStreams streams;
    private final SpdySender sender;
    private final SpdyAbuseGuard guard;
    private final int minorVersion;

    SpdyReceiver(SpdySession session, int minorVersion) {
        this.session = session;
        this.minorVersion = minorVersion;
        streams = session.streams;
        sender = session.sender;
        guard = session.guard;
    }

    /**
     * Processes a message. Returns whether the handlers above get it.
     *
     * @throws SpdyProtocolException if the session has to end because the peer sends too much
     */
    boolean receive(ChannelHandlerContext ctx, Object message) throws SpdyProtocolException {
        if (message instanceof SpdyDataFrame frame) {
            return receiveData(ctx, frame);
        }
        if (message instanceof SpdySynStreamFrame frame) {
            return receiveSynStream(ctx, frame);
        }
        if (message instanceof SpdySynReplyFrame frame) {
            return receiveSynReply(ctx, frame);
        }
        if (message instanceof SpdyHeadersFrame frame) {
            return receiveHeaders(ctx, frame);
        }
        if (message instanceof SpdyRstStreamFrame frame) {
            receiveReset(ctx, frame);
            return true;
        }
        if (message instanceof SpdyWindowUpdateFrame frame) {
            guard.onWindowUpdate();
            receiveWindowUpdate(ctx, frame);
            return false;
        }
        if (message instanceof SpdySettingsFrame frame) {
            guard.onIdleFrame();
            return receiveSettings(ctx, frame);
        }
        if (message instanceof SpdyPingFrame frame) {
            guard.onIdleFrame();
            return receivePing(ctx, frame);
        }
        if (message instanceof SpdyGoAwayFrame) {
            guard.onIdleFrame();
            session.onGoAway();
        }
        return true;
    }

    private void receiveReset(ChannelHandlerContext ctx, SpdyRstStreamFrame frame) throws SpdyProtocolException {
        String why = "the peer reset the stream: " + frame.getStatus();
        SpdyStream stream = session.dropStream(ctx, frame.getStreamId(), new SpdyProtocolException(why));
        if (stream == null) {
            guard.onIdleFrame();
        } else {
            guard.onResetByPeer(stream);
        }
    }

    private boolean receiveData(ChannelHandlerContext ctx, SpdyDataFrame frame) throws SpdyProtocolException {
        int length = frame.getData().readableBytes();
        if (length == 0 && !frame.isLast()) {
            guard.onIdleFrame();
        }
        session.deadlines.onReceived(length);
        if (!session.credit.take(length)) {
            fail(ctx, "DATA exceeds the session's window");
            return false;
        }
        boolean isPassedOn = receiveOnStream(ctx, frame, length);
        if (!isPassedOn) {
            session.credit.giveBack(ctx, length);
        }
        return isPassedOn;
    }

    private boolean receiveOnStream(ChannelHandlerContext ctx, SpdyDataFrame frame, int length)
            throws SpdyProtocolException {
        int id = frame.getStreamId();
        SpdyStream stream = streams.get(id);
        if (stream == null) {
            if (id <= session.lastGoodStreamId()) {
                return answerMissing(ctx, id, SpdyStreamStatus.PROTOCOL_ERROR);
            }
            return !session.isEnding() && answerMissing(ctx, id, SpdyStreamStatus.INVALID_STREAM);
        }
        if (stream.isRemoteClosed) {
            return refuse(ctx, id, SpdyStreamStatus.STREAM_ALREADY_CLOSED);
        }
        if (!streams.isRemoteId(id) && !stream.hasReply) {
            return refuse(ctx, id, SpdyStreamStatus.PROTOCOL_ERROR);
        }
        if (!session.credit.takeOn(stream, length)) {
            return refuse(ctx, id, SpdyStreamStatus.FLOW_CONTROL_ERROR);
        }
        if (frame.isLast()) {
            session.endRemote(ctx, stream);
        }
        return true;
    }

    private boolean receiveSynStream(ChannelHandlerContext ctx, SpdySynStreamFrame frame) throws SpdyProtocolException {
        int id = frame.getStreamId();
        if (frame.isInvalid() || !streams.isRemoteId(id) || streams.get(id) != null) {
            return refuse(ctx, id, SpdyStreamStatus.PROTOCOL_ERROR);
        }
        if (id <= session.lastGoodStreamId()) {
            fail(ctx, "stream ID is not higher than the previous ones");
            return false;
        }
        session.onOpenAttempt(id);
        if (session.isEnding()) { // a request that was in flight when GOAWAY was sent
            return answerMissing(ctx, id, SpdyStreamStatus.REFUSED_STREAM);
        }
        if (!session.acceptsStreams() || streams.count(true) >= session.maxRemoteStreams()) {
            return refuse(ctx, id, SpdyStreamStatus.REFUSED_STREAM);
        }
        session.openByPeer(frame);
        return true;
    }

    private boolean receiveSynReply(ChannelHandlerContext ctx, SpdySynReplyFrame frame) throws SpdyProtocolException {
        int id = frame.getStreamId();
        SpdyStream stream = streams.get(id);
        if (frame.isInvalid() || streams.isRemoteId(id) || stream == null || stream.isRemoteClosed) {
            return refuse(ctx, id, SpdyStreamStatus.INVALID_STREAM);
        }
        if (stream.hasReply) {
            return refuse(ctx, id, SpdyStreamStatus.STREAM_IN_USE);
        }
        stream.hasReply = true;
        if (frame.isLast()) {
            session.endRemote(ctx, stream);
        }
        return true;
    }

    private boolean receiveHeaders(ChannelHandlerContext ctx, SpdyHeadersFrame frame) throws SpdyProtocolException {
        int id = frame.getStreamId();
        guard.onIdleFrame();
        if (frame.isInvalid()) {
            return refuse(ctx, id, SpdyStreamStatus.PROTOCOL_ERROR);
        }
        SpdyStream stream = streams.get(id);
        if (stream == null) {
            return answerMissing(ctx, id, SpdyStreamStatus.INVALID_STREAM);
        }
        if (stream.isRemoteClosed) {
            return refuse(ctx, id, SpdyStreamStatus.INVALID_STREAM);
        }
        if (frame.isLast()) {
            session.endRemote(ctx, stream);
        }
        return true;
    }

    private void receiveWindowUpdate(ChannelHandlerContext ctx, SpdyWindowUpdateFrame frame)
            throws SpdyProtocolException {
        if (frame.getStreamId() == SpdyWire.SESSION) {
            if (sender.widenSession(frame.getDeltaWindowSize())) {
                sender.flushAll(ctx);
                session.closeIfDrained(ctx);
            } else {
                fail(ctx, "WINDOW_UPDATE overflows the session's window");
            }
            return;
        }
        SpdyStream stream = streams.get(frame.getStreamId());
        if (stream == null || stream.sending == SpdyStream.Sending.CLOSED) {
            return;
        }
        if (sender.widen(stream, frame.getDeltaWindowSize())) {
            sender.flush(ctx, stream);
            session.closeIfDrained(ctx);
        } else {
            session.reset(ctx, stream.id, SpdyStreamStatus.FLOW_CONTROL_ERROR);
        }
    }

    private boolean receiveSettings(ChannelHandlerContext ctx, SpdySettingsFrame frame) {
        if (frame.isSet(SpdySettingsFrame.SETTINGS_MINOR_VERSION)
                && frame.getValue(SpdySettingsFrame.SETTINGS_MINOR_VERSION) != minorVersion) {
            fail(ctx, "SETTINGS have a different minor version");
            return false;
        }
        if (!session.applyPeers(frame)) {
            fail(ctx, "initial window is too large");
            return false;
        }
        sender.flushAll(ctx);
        session.closeIfDrained(ctx);
        return true;
    }

    private boolean receivePing(ChannelHandlerContext ctx, SpdyPingFrame frame) {
        if (streams.isRemoteId(frame.getId())) {
            session.send(ctx, frame);
            return false;
        }
        return session.takePing();
    }

    /** Answers a frame on a stream that doesn't exist. If the peer might not know that yet, the frame doesn't count as a reset. */
    private boolean answerMissing(ChannelHandlerContext ctx, int id, SpdyStreamStatus status)
            throws SpdyProtocolException {
        if (session.mayBeLate(id)) {
            guard.onIdleFrame();
            session.end(ctx, id, status);
            return false;
        }
        return refuse(ctx, id, status);
    }

    private boolean refuse(ChannelHandlerContext ctx, int id, SpdyStreamStatus status) throws SpdyProtocolException {
        session.reset(ctx, id, status);
        return false;
    }

    private void fail(ChannelHandlerContext ctx, String why) {
        session.fail(ctx, new SpdyProtocolException(why));
    }
}
