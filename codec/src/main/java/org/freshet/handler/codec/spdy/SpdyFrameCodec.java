package org.freshet.handler.codec.spdy;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.internal.handler.LingeringEnd;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.handler.UnsentMessage;

/**
 * Decodes received bytes into {@link SpdyFrame}s, and encodes written ones. It is the first SPDY handler in a pipeline,
 * followed by {@link SpdySessionHandler}.
 *
 * <p>Received headers beyond {@code maxHeaderSize} are dropped, and their frame is {@linkplain SpdyHeadersFrame#isTruncated()
 * truncated}. Invalid input raises a {@link SpdyProtocolException}: a malformed frame, SETTINGS with more than 64 entries, or a
 * header block that is corrupt or inflates to more than 16 times {@code maxHeaderSize}. Everything after it is discarded, and
 * the session handler closes the channel.
 *
 * <p>Threading: frames are decoded on the channel's I/O thread. Any thread may write; frames are encoded on the I/O thread, in
 * the order in which they were written, because each header block builds on the ones before it. Belongs to one pipeline.
 */
@ChannelHandler.Borrower
public class SpdyFrameCodec extends FrameDecoder implements SpdyFrameDecoderDelegate, ChannelDownstreamHandler {
    private static final int DEFAULT_MAX_CHUNK_BYTES = 8192;
    private static final int DEFAULT_MAX_HEADER_BYTES = 16384;
    private static final int DEFAULT_LEVEL = 6;
    private static final int MIN_WINDOW_BITS = 9;
    private static final int MAX_WINDOW_BITS = 15;
    private static final int DEFAULT_MEM_LEVEL = 8;
    private static final int MAX_MEM_LEVEL = 9;

    private final SpdyFrameDecoder frameDecoder;
    private final SpdyFrameEncoder frameEncoder;
    private final SpdyHeaderBlockDecoder headerBlockDecoder;
    private final SpdyHeaderBlockEncoder headerBlockEncoder;

    // I/O thread only.
    private SpdyHeadersFrame headers;
    private SpdySettingsFrame settings;
    private SpdyFrame decoded;
    private SpdyProtocolException failure;

    /** The header block coders have been ended. */
    private boolean ended;

    /** Null until a server's output has ended. Set on the I/O thread. */
    private volatile LingeringEnd linger;

    /** Splits data into pieces of up to 8,192 bytes, accepts headers of up to 16,384 bytes, and compresses at level 6. */
    public SpdyFrameCodec(SpdyVersion spdyVersion) {
        this(
                spdyVersion,
                DEFAULT_MAX_CHUNK_BYTES,
                DEFAULT_MAX_HEADER_BYTES,
                DEFAULT_LEVEL,
                MAX_WINDOW_BITS,
                DEFAULT_MEM_LEVEL);
    }

    /**
     * @param maxChunkSize the most received data in one frame, in bytes, 1 or more; larger frames are split
     * @param maxHeaderSize the most bytes of all names and values of a received frame, 1 or more
     * @param compressionLevel for sent headers, 0 (none) to 9 (best)
     * @param windowBits for sent headers, 9 to 15
     * @param memLevel 1 to 9; has no effect with the JDK's deflater
     */
    public SpdyFrameCodec(
            SpdyVersion spdyVersion,
            int maxChunkSize,
            int maxHeaderSize,
            int compressionLevel,
            int windowBits,
            int memLevel) {
        this(
                spdyVersion,
                maxChunkSize,
                new SpdyHeaderBlockZlibDecoder(spdyVersion, maxHeaderSize),
                newZlibEncoder(spdyVersion, compressionLevel, windowBits, memLevel));
    }

    private static SpdyHeaderBlockEncoder newZlibEncoder(SpdyVersion version, int level, int windowBits, int memLevel) {
        if (level < 0 || level > 9) {
            throw new IllegalArgumentException("compressionLevel not in 0..9: " + level);
        }
        if (windowBits < MIN_WINDOW_BITS || windowBits > MAX_WINDOW_BITS) {
            throw new IllegalArgumentException("windowBits not in 9..15: " + windowBits);
        }
        if (memLevel < 1 || memLevel > MAX_MEM_LEVEL) {
            throw new IllegalArgumentException("memLevel not in 1..9: " + memLevel);
        }
        return new SpdyHeaderBlockZlibEncoder(version, level, windowBits);
    }

    /** Uses other header block codecs, which then belong to this instance. */
    protected SpdyFrameCodec(
            SpdyVersion spdyVersion,
            int maxChunkSize,
            SpdyHeaderBlockDecoder headerBlockDecoder,
            SpdyHeaderBlockEncoder headerBlockEncoder) {
        frameDecoder = new SpdyFrameDecoder(spdyVersion, this, maxChunkSize);
        frameEncoder = new SpdyFrameEncoder(spdyVersion);
        this.headerBlockDecoder = Objects.requireNonNull(headerBlockDecoder, "headerBlockDecoder");
        this.headerBlockEncoder = Objects.requireNonNull(headerBlockEncoder, "headerBlockEncoder");
    }

    // ---- life cycle ----

    @Override
    protected void cleanup(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        try {
            super.cleanup(ctx, e);
        } finally {
            end();
        }
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        super.afterRemove(ctx);
        if (ctx.getPipeline().isAttached()) {
            ctx.getPipeline().execute(this::end);
        } else {
            end();
        }
    }

    /** Releases the compressors' memory. */
    private void end() {
        if (!ended) {
            ended = true;
            frameDecoder.fail();
            headerBlockDecoder.end();
            headerBlockEncoder.end();
        }
    }

    // ---- decoding ----

    /** Nothing received counts any more. I/O thread. */
    void dropInput(LingeringEnd linger) {
        this.linger = linger;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (linger == null) {
            super.messageReceived(ctx, e);
        } else {
            linger.drop(ctx, Channels.borrow(e));
        }
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        while (decoded == null && failure == null && frameDecoder.step(buffer)) {}
        if (failure != null) {
            SpdyProtocolException thrown = failure;
            failure = null;
            throw thrown;
        }
        SpdyFrame frame = decoded;
        decoded = null;
        return frame;
    }

    @Override
    public void readDataFrame(int streamId, boolean last, ChannelBuffer data) {
        SpdyDataFrame frame = new DefaultSpdyDataFrame(streamId);
        frame.setLast(last);
        frame.setData(data);
        decoded = frame;
    }

    @Override
    public void readSynStreamFrame(
            int streamId, int associatedToStreamId, byte priority, boolean last, boolean unidirectional) {
        SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(streamId, associatedToStreamId, priority);
        frame.setUnidirectional(unidirectional);
        beginHeaders(frame, last);
    }

    @Override
    public void readSynReplyFrame(int streamId, boolean last) {
        beginHeaders(new DefaultSpdySynReplyFrame(streamId), last);
    }

    @Override
    public void readHeadersFrame(int streamId, boolean last) {
        beginHeaders(new DefaultSpdyHeadersFrame(streamId), last);
    }

    private void beginHeaders(SpdyHeadersFrame frame, boolean last) {
        frame.setLast(last);
        headers = frame;
    }

    @Override
    public void readHeaderBlock(ChannelBuffer headerBlock) {
        try {
            headerBlockDecoder.decode(headerBlock, headers);
        } catch (SpdyProtocolException e) {
            fail(e);
        } catch (Exception e) {
            fail(new SpdyProtocolException("cannot decode a header block", e));
        }
    }

    @Override
    public void readHeaderBlockEnd() {
        headerBlockDecoder.endHeaderBlock(headers);
        decoded = headers;
        headers = null;
    }

    @Override
    public void readRstStreamFrame(int streamId, int statusCode) {
        decoded = new DefaultSpdyRstStreamFrame(streamId, statusCode);
    }

    @Override
    public void readSettingsFrame(boolean clearPersisted) {
        settings = new DefaultSpdySettingsFrame();
        settings.setClearPreviouslyPersistedSettings(clearPersisted);
    }

    /** Of several entries with one ID the last counts, as in Netty 3; under SPDY/3, 2.6.4, the first would count. */
    @Override
    public void readSetting(int id, int value, boolean persistValue, boolean persisted) {
        settings.setValue(id, value, persistValue, persisted);
    }

    @Override
    public void readSettingsEnd() {
        decoded = settings;
        settings = null;
    }

    @Override
    public void readPingFrame(int id) {
        decoded = new DefaultSpdyPingFrame(id);
    }

    @Override
    public void readGoAwayFrame(int lastGoodStreamId, int statusCode) {
        decoded = new DefaultSpdyGoAwayFrame(lastGoodStreamId, statusCode);
    }

    @Override
    public void readWindowUpdateFrame(int streamId, int deltaWindowSize) {
        decoded = new DefaultSpdyWindowUpdateFrame(streamId, deltaWindowSize);
    }

    @Override
    public void readFrameError(String message) {
        fail(new SpdyProtocolException(message));
    }

    private void fail(SpdyProtocolException cause) {
        frameDecoder.fail();
        failure = cause;
    }

    // ---- encoding ----

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (OnIoThread.concerns(evt)) {
            OnIoThread.handle(ctx, evt, () -> send(ctx, evt));
        } else if (linger != null && ReadSuspension.isReadRequest(evt)) {
            evt.getFuture().setSuccess(); // what is still read is dropped here
        } else {
            ctx.sendDownstream(evt);
        }
    }

    private void send(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (!(evt instanceof MessageEvent e) || !(e.getMessage() instanceof SpdyFrame frame)) {
            ctx.sendDownstream(evt);
            return;
        }
        if (ended) {
            e.getFuture().setFailure(UnsentMessage.causeOfClosed(ctx.getChannel()));
            return;
        }
        ChannelBuffer encoded = encode(frame);
        if (encoded == null) {
            ctx.sendDownstream(evt);
        } else {
            Channels.write(ctx, e.getFuture(), encoded, e.getRemoteAddress());
        }
    }

    /** Null for a frame of an unknown kind. */
    private ChannelBuffer encode(SpdyFrame frame) throws Exception {
        if (frame instanceof SpdyDataFrame data) {
            return frameEncoder.encodeDataFrame(data.getStreamId(), data.isLast(), data.getData());
        }
        if (frame instanceof SpdyHeadersFrame withHeaders) {
            return encodeHeaders(withHeaders, headerBlockEncoder.encode(withHeaders));
        }
        if (frame instanceof SpdyRstStreamFrame reset) {
            return frameEncoder.encodeRstStreamFrame(
                    reset.getStreamId(), reset.getStatus().getCode());
        }
        if (frame instanceof SpdySettingsFrame written) {
            return frameEncoder.encodeSettingsFrame(written);
        }
        if (frame instanceof SpdyPingFrame ping) {
            return frameEncoder.encodePingFrame(ping.getId());
        }
        if (frame instanceof SpdyGoAwayFrame goAway) {
            return frameEncoder.encodeGoAwayFrame(
                    goAway.getLastGoodStreamId(), goAway.getStatus().getCode());
        }
        if (frame instanceof SpdyWindowUpdateFrame update) {
            return frameEncoder.encodeWindowUpdateFrame(update.getStreamId(), update.getDeltaWindowSize());
        }
        return null;
    }

    private ChannelBuffer encodeHeaders(SpdyHeadersFrame frame, ChannelBuffer block) {
        int streamId = frame.getStreamId();
        if (frame instanceof SpdySynStreamFrame syn) {
            return frameEncoder.encodeSynStreamFrame(
                    streamId,
                    syn.getAssociatedToStreamId(),
                    syn.getPriority(),
                    syn.isLast(),
                    syn.isUnidirectional(),
                    block);
        }
        return frame instanceof SpdySynReplyFrame
                ? frameEncoder.encodeSynReplyFrame(streamId, frame.isLast(), block)
                : frameEncoder.encodeHeadersFrame(streamId, frame.isLast(), block);
    }
}
