package org.freshet.handler.codec.http2;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http2.ReceivedFields.MalformedException;
import org.freshet.handler.codec.http2.hpack.HpackDecoder;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.handler.codec.http2.hpack.HpackException;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Applies each received frame to its stream or to the connection (RFC 9113 5 and 6). An error that concerns one stream alone
 * resets that stream; any other error is thrown, and ends the connection.
 *
 * <p>Belongs to its connection's thread.
 */
final class FrameHandler implements FrameListener {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(FrameHandler.class);

    private static final int HEADER_TABLE_SIZE = 4096;

    private final Connection connection;
    private final ConnectionStreams streams;
    private final FrameWriter writer;
    private final DataSender sender;
    private final PeerSettings peer;
    private final HpackEncoder encoder;
    private final HpackDecoder decoder = new HpackDecoder(HEADER_TABLE_SIZE);
    private final FieldCollector collector;
    private final ReceivedFields fields = new ReceivedFields();
    private final Credit credit;

    FrameHandler(
            Connection connection,
            ConnectionStreams streams,
            FrameWriter writer,
            DataSender sender,
            PeerSettings peer,
            HpackEncoder encoder,
            Credit credit) {
        this.connection = connection;
        this.streams = streams;
        this.writer = writer;
        this.sender = sender;
        this.peer = peer;
        this.encoder = encoder;
        this.credit = credit;
        Http2Settings settings = connection.settings();
        collector = new FieldCollector(
                settings.maxHeaderListSize(), settings.httpLimits().maxHeaders());
    }

    // ---- HEADERS ----

    @Override
    public void onHeaders(int streamId, byte[] block, int offset, int length, boolean endsStream)
            throws Http2Exception {
        decode(block, offset, length);
        Stream stream = streams.get(streamId);
        if (connection.isServer() && streams.isNextOfPeer(streamId)) {
            onRequest(streamId, endsStream);
        } else if (stream != null) {
            onMoreFields(stream, endsStream);
        } else {
            streams.find(streamId, FrameType.HEADERS);
            connection.guard().onLateFrame();
        }
    }

    private void decode(byte[] block, int offset, int length) throws Http2Exception {
        collector.clear();
        try {
            decoder.decode(block, offset, length, collector);
        } catch (HpackException e) {
            throw new Http2Exception(Http2Error.COMPRESSION_ERROR, e.getMessage());
        }
        if (collector.isHostile()) {
            throw new Http2Exception(
                    Http2Error.ENHANCE_YOUR_CALM,
                    "header fields far exceed the limit of "
                            + connection.settings().maxHeaderListSize() + " octets");
        }
    }

    private void onRequest(int streamId, boolean endsStream) throws Http2Exception {
        streams.onPeerId(streamId);
        if (!connection.acceptsStreams()) {
            return; // beyond the number in our GOAWAY, so the client knows it may retry elsewhere
        }
        if (sender.isBacklogged()) {
            streams.resetProvoked(streamId, Http2Error.REFUSED_STREAM, "the peer does not read its answers");
        } else if (streams.count() >= connection.settings().maxConcurrentStreams()) {
            streams.resetProvoked(streamId, Http2Error.REFUSED_STREAM, "the limit of concurrent streams is reached");
        } else if (!collector.isWithinLimits()) {
            refuseFields(streamId, endsStream);
        } else if (!streams.hasRoomForFields(collector.size())) {
            streams.refuseForFields(streamId, collector.size());
        } else {
            openByPeer(streamId, endsStream);
        }
    }

    /** Answers 431 without a handler, because the request cannot be passed to one. */
    private void refuseFields(int streamId, boolean endsStream) throws Http2Exception {
        connection.guard().onResetProvoked();
        refuseInPlaceOfAHandler(streamId, endsStream, "431");
    }

    private void refuseInPlaceOfAHandler(int streamId, boolean endsStream, String status) {
        writer.writeFields(streamId, FieldList.of(":status", status, "content-length", "0"), true, peer.maxFrameSize());
        if (!endsStream) {
            streams.refuse(streamId, Http2Error.NO_ERROR);
        }
    }

    private void openByPeer(int streamId, boolean endsStream) throws Http2Exception {
        RequestHead received;
        try {
            received = fields.toRequest(collector, connection.acceptsWebSocket());
        } catch (MalformedException e) {
            streams.resetProvoked(streamId, Http2Error.PROTOCOL_ERROR, e.getMessage());
            return;
        }
        try {
            open(streamId, received, endsStream);
        } finally {
            received.clear();
        }
    }

    private void open(int streamId, RequestHead received, boolean endsStream) throws Http2Exception {
        if (received.asksForOtherProtocol() || received.asksForTunnel() && endsStream) {
            refuseInPlaceOfAHandler(streamId, endsStream, "501");
            return;
        }
        StreamChannel channel = newChannel(connection.requestPipelines());
        if (channel == null) {
            streams.refuse(streamId, Http2Error.INTERNAL_ERROR);
            return;
        }
        streams.openByPeer(channel, streamId, (int) collector.size());
        channel.stream.setPriority(Http2Priority.parse(received.priority()));
        if (received.scheme() != null) {
            channel.setScheme(received.scheme());
        }
        begin(channel, received, endsStream);
    }

    private void begin(StreamChannel channel, RequestHead received, boolean endsStream) throws Http2Exception {
        HttpRequest request = received.message();
        long contentLength = received.contentLength();
        boolean isTunnel = received.asksForTunnel();
        channel.outbound.setMethod(request.getMethod());
        if (received.asksForWebSocket()) {
            ExtendedConnect.addUpgrade(request);
            channel.outbound.awaitWebSocket(null);
        }
        channel.exchange = new StreamExchange(request, contentLength, !endsStream && !isTunnel);
        channel.announceAccepted();
        if (isTunnel) {
            channel.inbound().awaitTunnel();
            channel.deliver(request, 0);
        } else {
            deliverHead(channel, request, contentLength, endsStream);
        }
    }

    /** Null if the user's factory fails. */
    private StreamChannel newChannel(ChannelPipelineFactory pipelines) {
        try {
            return new StreamChannel(connection, connection.channel().getFactory(), pipelines.getPipeline());
        } catch (Throwable t) {
            logger.warn("cannot create the pipeline of a request: the request is refused", t);
            return null;
        }
    }

    private void deliverHead(StreamChannel channel, HttpMessage head, long contentLength, boolean endsStream)
            throws Http2Exception {
        try {
            if (endsStream) {
                channel.stream.endRemote();
            }
            if (endsStream && connection.isServer()) {
                if (contentLength > 0) {
                    throw new MalformedException("no content, but content-length is " + contentLength);
                }
                channel.deliver(head, 0); // without an object for content: most requests have none
            } else {
                channel.inbound().head(head, contentLength, endsStream);
            }
        } catch (MalformedException e) {
            streams.resetProvoked(channel.stream.id(), Http2Error.PROTOCOL_ERROR, e.getMessage());
        }
    }

    /** A response, or trailers. */
    private void onMoreFields(Stream stream, boolean endsStream) throws Http2Exception {
        if (!stream.state().isRemoteOpen()) {
            throw new Http2Exception(
                    Http2Error.STREAM_CLOSED,
                    "HEADERS on stream " + stream.id() + ", which the peer has already ended");
        }
        if (!collector.isWithinLimits()) {
            streams.resetProvoked(
                    stream.id(),
                    Http2Error.ENHANCE_YOUR_CALM,
                    "header fields exceed the limit of " + connection.settings().maxHeaderListSize() + " octets or "
                            + connection.settings().httpLimits().maxHeaders() + " fields");
            return;
        }
        try {
            deliverMoreFields(stream, endsStream);
        } catch (MalformedException e) {
            streams.resetProvoked(stream.id(), Http2Error.PROTOCOL_ERROR, e.getMessage());
        }
        streams.endIfBothHaveEnded(stream.channel, null);
    }

    private void deliverMoreFields(Stream stream, boolean endsStream) throws MalformedException, Http2Exception {
        InboundMessage inbound = stream.channel.inbound();
        if (inbound.awaitsHead()) {
            deliverResponse(stream, fields.toResponse(collector), endsStream);
        } else if (endsStream) {
            stream.endRemote();
            inbound.trailers(fields, collector);
        } else {
            throw new MalformedException("trailers do not end the stream");
        }
    }

    private void deliverResponse(Stream stream, ReceivedFields.Response received, boolean endsStream)
            throws Http2Exception {
        StreamChannel channel = stream.channel;
        HttpResponse response = received.message();
        int kind = response.getStatus().getCode() / 100;
        boolean isAnswer = channel.outbound.awaitsTunnel() && kind != 1;
        if (isAnswer && kind == 2 && !endsStream) {
            HttpResponse seen = channel.outbound.beginTunnel(response);
            channel.inbound().awaitTunnel();
            channel.inbound().beginTunnel();
            channel.deliver(seen, 0);
            return;
        }
        deliverHead(channel, response, received.contentLength(), endsStream);
        if (isAnswer) {
            channel.outbound.refuseTunnel();
        }
    }

    // ---- DATA ----

    @Override
    public void onDataBegins(int streamId, int length, boolean endsStream) throws Http2Exception {
        Stream stream = streams.find(streamId, FrameType.DATA);
        if (stream != null && !stream.state().isRemoteOpen()) {
            throw new Http2Exception(
                    Http2Error.STREAM_CLOSED, "DATA on stream " + streamId + ", which the peer has already ended");
        }
        if (!credit.take(stream, length)) {
            throw new Http2Exception(Http2Error.FLOW_CONTROL_ERROR, "DATA on stream " + streamId + " exceeds a window");
        }
    }

    @Override
    public boolean mayMergeData(int streamId) {
        Stream stream = streams.get(streamId);
        return stream != null && stream.channel.isTunnel();
    }

    @Override
    public void onData(int streamId, ChannelBuffer content, int flowControlled, boolean endsStream)
            throws Http2Exception {
        Stream stream = streams.get(streamId);
        if (stream == null) {
            credit.drop(flowControlled);
            return;
        }
        credit.hold(stream, flowControlled);
        try {
            InboundMessage inbound = stream.channel.inbound();
            if (inbound.awaitsHead()) {
                throw new MalformedException("DATA before the response");
            }
            if (endsStream) {
                stream.endRemote();
            }
            inbound.content(content, flowControlled, endsStream);
        } catch (MalformedException e) {
            streams.resetProvoked(streamId, Http2Error.PROTOCOL_ERROR, e.getMessage());
        }
        streams.endIfBothHaveEnded(stream.channel, null);
        streams.keepWindowOpen();
    }

    // ---- other frames of streams ----

    @Override
    public void onReset(int streamId, Http2Error error) throws Http2Exception {
        Stream stream = streams.get(streamId);
        if (stream == null) {
            refuseIdle(streamId, FrameType.RST_STREAM);
            connection.guard().onLateFrame();
            return;
        }
        boolean isAnswered =
                !stream.state().isLocalOpen(); // after its answer, a client may abandon the rest of a request
        if (connection.isServer() && !isAnswered) {
            connection.guard().onResetByPeer(stream.openedAt);
        }
        streams.onReset(stream.channel, error);
    }

    private void refuseIdle(int streamId, FrameType type) throws Http2Exception {
        if (streams.isIdle(streamId)) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, type + " frame on idle stream " + streamId);
        }
    }

    @Override
    public void onWindowUpdate(int streamId, int increment) throws Http2Exception {
        connection.guard().onWindowUpdate();
        if (streamId == 0) {
            requireWindow(sender.addWindow(increment));
            return;
        }
        Stream stream = streams.get(streamId);
        if (stream == null) {
            refuseIdle(streamId, FrameType.WINDOW_UPDATE);
        } else if (stream.addSendWindow(increment)) {
            sender.schedule(stream);
        } else {
            streams.resetProvoked(streamId, Http2Error.FLOW_CONTROL_ERROR, "a window exceeds 2^31-1");
        }
    }

    private static void requireWindow(boolean isWithinLimit) throws Http2Exception {
        if (!isWithinLimit) {
            throw new Http2Exception(Http2Error.FLOW_CONTROL_ERROR, "a window exceeds 2^31-1");
        }
    }

    @Override
    public void onPriority(int streamId) throws Http2Exception {
        connection.guard().onPriority();
    }

    @Override
    public void onPriorityUpdate(int streamId, String priority) throws Http2Exception {
        connection.guard().onPriority();
        if (!connection.isServer() || streamId == 0) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "PRIORITY_UPDATE for stream " + streamId);
        }
        Stream stream = streams.get(streamId);
        if (stream != null) {
            sender.setPriority(stream, Http2Priority.parse(priority));
        }
    }

    // ---- connection frames ----

    @Override
    public void onSettings(byte[] in, int offset, int length) throws Http2Exception {
        int before = peer.initialWindowSize();
        peer.apply(in, offset, length);
        encoder.setMaxTableSize(peer.headerTableSize());
        changeWindows(peer.initialWindowSize() - before);
        connection.onSettings();
        writer.writeSettingsAck();
        streams.admitWaiting();
        connection.fire(new Http2ConnectionEvent.SettingsReceived(
                connection.channel(), peer.maxConcurrentStreams(), peer.initialWindowSize()));
    }

    private void changeWindows(int change) throws Http2Exception {
        boolean[] isWithinLimit = {true};
        streams.forEach(stream -> {
            isWithinLimit[0] &= stream.addSendWindow(change);
            sender.schedule(stream);
        });
        requireWindow(isWithinLimit[0]);
    }

    @Override
    public void onSettingsAck() throws Http2Exception {
        requireAsked(writer.takeSettingsAck());
        streams.onAcknowledged();
        connection.onAcknowledged();
    }

    @Override
    public void onPing(long data) throws Http2Exception {
        writer.writePing(data, true);
    }

    @Override
    public void onPingAck(long data) throws Http2Exception {
        requireAsked(writer.takePingAck());
        connection.onPingAck(data);
    }

    private void requireAsked(boolean wasAsked) throws Http2Exception {
        if (!wasAsked) {
            connection.guard().onUnexpectedAck();
        }
    }

    @Override
    public void onGoAway(int lastStreamId, Http2Error error, String debugData) throws Http2Exception {
        connection.guard().onGoAway();
        connection.onGoAway();
        String detail = HeaderSyntax.printable(debugData);
        String reason = "the peer accepts no more streams: " + error + (detail.isEmpty() ? "" : ", " + detail);
        streams.onGoAway(lastStreamId, reason);
        connection.fire(new Http2ConnectionEvent.GoAwayReceived(connection.channel(), lastStreamId, error, detail));
        connection.closeIfDrained();
    }
}
