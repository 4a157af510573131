package org.freshet.handler.codec.http2;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** What a {@link FrameReader} has found, one line per call. */
final class FrameLog implements FrameListener {
    private final List<String> calls = new ArrayList<>();
    private final boolean merges;

    /** DATA frames of this length are refused. */
    int refusedLength = -1;

    /** @param merges whether short frames of DATA may be merged */
    FrameLog(boolean merges) {
        this.merges = merges;
    }

    /** A reader that has got the peer's SETTINGS, and reports to this. */
    FrameReader reader() {
        FrameReader created = new FrameReader(this, new AbuseGuard(() -> 0, Http2AbuseLimits.none(), 100), 16 * 1024);
        try {
            created.read(ChannelBuffers.wrappedBuffer(FramePeer.frame(FramePeer.SETTINGS, 0, 0)));
        } catch (Http2Exception e) {
            throw new AssertionError(e);
        }
        calls.clear();
        return created;
    }

    /** The calls since the last time. */
    List<String> take() {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    @Override
    public void onDataBegins(int streamId, int length, boolean endsStream) throws Http2Exception {
        calls.add("begins " + streamId + " " + length + (endsStream ? " END" : ""));
        if (length == refusedLength) {
            throw new Http2Exception(Http2Error.FLOW_CONTROL_ERROR, "planned");
        }
    }

    @Override
    public boolean mayMergeData(int streamId) {
        return merges;
    }

    @Override
    public void onData(int streamId, ChannelBuffer content, int flowControlled, boolean endsStream) {
        calls.add("data " + streamId + " " + ChannelBuffers.hexDump(content) + " " + flowControlled
                + (endsStream ? " END" : ""));
    }

    @Override
    public void onHeaders(int streamId, byte[] block, int offset, int length, boolean endsStream) {
        calls.add("headers " + streamId + " " + HexFormat.of().formatHex(block, offset, offset + length)
                + (endsStream ? " END" : ""));
    }

    @Override
    public void onReset(int streamId, Http2Error error) {
        calls.add("reset " + streamId + " " + error);
    }

    @Override
    public void onSettings(byte[] settings, int offset, int length) {
        calls.add("settings " + HexFormat.of().formatHex(settings, offset, offset + length));
    }

    @Override
    public void onSettingsAck() {
        calls.add("settings ack");
    }

    @Override
    public void onPing(long data) {
        calls.add("ping " + Long.toHexString(data));
    }

    @Override
    public void onPingAck(long data) {
        calls.add("ping ack " + Long.toHexString(data));
    }

    @Override
    public void onGoAway(int lastStreamId, Http2Error error, String debugData) {
        calls.add("goaway " + lastStreamId + " " + error + " " + debugData);
    }

    @Override
    public void onWindowUpdate(int streamId, int increment) {
        calls.add("window " + streamId + " " + increment);
    }

    @Override
    public void onPriority(int streamId) {
        calls.add("priority " + streamId);
    }

    @Override
    public void onPriorityUpdate(int streamId, String priority) {
        calls.add("priority update " + streamId + " " + priority);
    }
}
