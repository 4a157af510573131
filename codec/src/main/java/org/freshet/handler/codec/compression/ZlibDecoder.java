package org.freshet.handler.codec.compression;

import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.internal.InflateException;
import org.freshet.handler.codec.internal.InflateLimits;
import org.freshet.handler.codec.internal.InflatingStream;
import org.freshet.handler.codec.oneone.OneToOneDecoder;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.handler.PendingClose;
import org.freshet.internal.handler.ReadDemand;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.lending.Lending;

/**
 * Inflates one deflated stream, in one of the wrappers of {@link ZlibWrapper}.
 *
 * <p>Output is sent upstream in pieces of up to 64 KiB, each as soon as it is inflated, so a small message that
 * inflates to a large one is never in memory as a whole. While later handlers have suspended reading
 * ({@code setReadable(false)}), inflating pauses. It continues when reading is resumed, or before the events of the channel's end. If a handler
 * closes the channel when it gets a piece, the rest is discarded.
 *
 * <p>Data after the end of the stream passes through unchanged. With gzip, the stream may continue with another member:
 * its output simply follows.
 *
 * <p>A stream fails if it is corrupt, needs a dictionary that was not given, inflates to more than
 * {@code maxOutputBytes}, or is cut short by the peer. That causes one {@code exceptionCaught} event with a
 * {@link CompressionException}, after the output up to that point. The rest of the stream is discarded; close the
 * channel. If this side closes the channel in the middle of a stream, there is no exception.
 *
 * <p>Threading: an instance belongs to one pipeline, and to the thread that delivers its upstream events.
 */
@ChannelHandler.Borrower
@ActsOn({EventKind.INTEREST_CHANGED, EventKind.DISCONNECTED, EventKind.CLOSED})
public class ZlibDecoder extends OneToOneDecoder implements ChannelDownstreamHandler, LifeCycleAwareChannelHandler {
    /** 1 GiB: finite, but more than a connection or a message is likely to carry. */
    private static final long DEFAULT_MAX_OUTPUT_BYTES = 1L << 30;

    private final ZlibWrapper wrapper;
    private final byte[] dictionary;
    private final InflateLimits limits;

    private volatile ReadDemand demand = new ReadDemand();
    private InflatingStream stream;
    private SocketAddress remoteAddress;

    /** Messages, and the end of input, received before the current message was fully inflated; null until needed. */
    private Queue<ChannelEvent> waiting;

    private boolean inflating;

    /** The channel is closing or the decoder is being removed: send the rest even if reading is suspended. */
    private boolean ending;

    /** Reading was suspended in the middle of a message. */
    private boolean suspended;

    /** Decodes {@link ZlibWrapper#ZLIB}, up to 1 GiB of output. */
    public ZlibDecoder() {
        this(ZlibWrapper.ZLIB);
    }

    /** Inflates up to 1 GiB of output. */
    public ZlibDecoder(ZlibWrapper wrapper) {
        this(wrapper, DEFAULT_MAX_OUTPUT_BYTES);
    }

    /** @param maxOutputBytes limit for the whole stream, 1 or more; {@link Long#MAX_VALUE} for no limit */
    public ZlibDecoder(ZlibWrapper wrapper, long maxOutputBytes) {
        this(Objects.requireNonNull(wrapper, "wrapper"), null, maxOutputBytes);
    }

    /** Decodes {@link ZlibWrapper#ZLIB} with a dictionary, up to 1 GiB of output. */
    public ZlibDecoder(byte[] dictionary) {
        this(dictionary, DEFAULT_MAX_OUTPUT_BYTES);
    }

    /**
     * Decodes {@link ZlibWrapper#ZLIB} with a dictionary.
     *
     * @param maxOutputBytes limit for the whole stream, 1 or more; {@link Long#MAX_VALUE} for no limit
     */
    public ZlibDecoder(byte[] dictionary, long maxOutputBytes) {
        this(ZlibWrapper.ZLIB, Objects.requireNonNull(dictionary, "dictionary").clone(), maxOutputBytes);
    }

    private ZlibDecoder(ZlibWrapper wrapper, byte[] dictionary, long maxOutputBytes) {
        this.wrapper = wrapper;
        this.dictionary = dictionary;
        limits = InflateLimits.ofOutput(maxOutputBytes);
        stream = newStream();
    }

    private InflatingStream newStream() {
        return new InflatingStream(format(wrapper), dictionary, limits);
    }

    private static InflatingStream.Format format(ZlibWrapper wrapper) {
        return switch (wrapper) {
            case ZLIB -> InflatingStream.Format.ZLIB;
            case GZIP -> InflatingStream.Format.GZIP;
            case NONE -> InflatingStream.Format.RAW;
            case ZLIB_OR_NONE -> InflatingStream.Format.ZLIB_OR_RAW;
        };
    }

    /**
     * Returns whether the end of the compressed stream was reached. With gzip, it is false again if another member
     * follows.
     */
    public boolean isClosed() {
        return stream.isComplete();
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (evt instanceof MessageEvent || evt instanceof InputShutdownEvent) {
            receive(ctx, evt);
        } else if (evt instanceof ChannelStateEvent change && isEnd(change)) {
            end(ctx);
            ctx.sendUpstream(evt);
        } else {
            ctx.sendUpstream(evt);
            if (!inflating && demand.mayContinue()) {
                resume(ctx);
            }
        }
    }

    /** Requests to suspend or resume reading are noted; everything passes. Any thread may call this. */
    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (ReadSuspension.isReadRequest(e)) {
            demand.request(ctx, (ChannelStateEvent) e);
        } else {
            ctx.sendDownstream(e);
        }
    }

    private static boolean isEnd(ChannelStateEvent change) {
        return change.getState() == ChannelState.CONNECTED && change.getValue() == null
                || change.getState() == ChannelState.OPEN && Boolean.FALSE.equals(change.getValue());
    }

    private void receive(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (waiting == null) {
            waiting = new ArrayDeque<>(2);
        }
        waiting.add(e);
        if (!inflating && !suspended) {
            resume(ctx);
        }
    }

    /** Continues inflating until reading is suspended. */
    private void resume(ChannelHandlerContext ctx) throws Exception {
        if (suspended) {
            inflate(ctx);
        }
        while (!suspended && waiting != null && !waiting.isEmpty()) {
            ChannelEvent next = waiting.poll();
            if (next instanceof MessageEvent message) {
                remoteAddress = message.getRemoteAddress();
            }
            super.handleUpstream(ctx, next); // passes the end of input on
        }
    }

    private void end(ChannelHandlerContext ctx) {
        if (inflating) {
            abandon();
            return;
        }
        try {
            ending = true;
            resume(ctx);
            completeStream(ctx.getChannel());
            fireRest(ctx);
        } catch (Exception e) {
            Channels.fireExceptionCaught(ctx.getChannel(), e);
        } finally {
            ending = false;
        }
    }

    /**
     * Called when input ends. If this side closed the channel mid-stream, it knows; if the peer did, that's reported.
     */
    private void completeStream(Channel channel) {
        if (stream.isTruncated() && PendingClose.isRequested(channel)) {
            stream.abandon();
            return;
        }
        try {
            stream.complete();
        } catch (InflateException e) {
            throw failure(e);
        }
    }

    private ChannelBuffer nextPiece(ChannelBufferFactory factory) {
        try {
            return stream.next(factory);
        } catch (InflateException e) {
            throw failure(e);
        }
    }

    private static CompressionException failure(InflateException e) {
        return new CompressionException(e.getMessage(), e.getCause());
    }

    /** A handler closed the channel when it got a piece: the rest is useless. */
    private void abandon() {
        stream.abandon();
        waiting = null;
    }

    /**
     * Inflates a message.
     *
     * @return null because the output was already sent piece by piece; {@code msg} if it is not a buffer or comes after
     *     the end of the stream
     */
    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (!(msg instanceof ChannelBuffer) || stream.isEnded()) {
            return msg;
        }
        stream.feed((ChannelBuffer) msg);
        try {
            inflate(ctx);
        } finally {
            stream.keepInput();
        }
        return null;
    }

    private void inflate(ChannelHandlerContext ctx) {
        ChannelBufferFactory factory = ctx.getChannel().getConfig().getBufferFactory();
        inflating = true;
        suspended = false;
        try {
            ChannelBuffer piece = nextPiece(factory);
            while (piece != null) {
                Channels.fireMessageReceived(ctx, piece, remoteAddress);
                if (!ending && PendingClose.isClosing(ctx.getChannel())) {
                    abandon(); // the closed event may only come after this read
                    return;
                }
                suspended = !ending && demand.mustHold();
                piece = suspended ? null : nextPiece(factory);
            }
            if (!suspended) {
                fireRest(ctx);
            }
        } finally {
            inflating = false;
        }
    }

    private void fireRest(ChannelHandlerContext ctx) {
        ChannelBuffer rest = stream.takeRest();
        if (rest.readable()) {
            Channels.fireMessageReceived(ctx, Lending.owned(rest), remoteAddress);
        }
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        stream = newStream();
        demand = ReadDemand.at(ctx);
        waiting = null;
        suspended = false;
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        if (!inflating && suspended) {
            ending = true;
            try {
                resume(ctx);
            } finally {
                ending = false;
            }
        }
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (!inflating) { // else inflating continues, and the garbage collector ends the stream
            stream.abandon();
        }
    }
}
