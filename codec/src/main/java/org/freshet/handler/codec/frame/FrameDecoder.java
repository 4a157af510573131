package org.freshet.handler.codec.frame;

import java.net.SocketAddress;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.CompositeChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.internal.handler.PendingClose;

/**
 * Cuts a stream of bytes into frames. A subclass says in {@link #decode} where the next frame ends; this class keeps what
 * is left until more bytes come, and hands it on when the decoder goes away.
 *
 * <pre>
 * public class NumberDecoder extends FrameDecoder { // a 4-byte length, then that many bytes
 *     protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) {
 *         if (buffer.readableBytes() &lt; 4) {
 *             return null;                                   // not even the length
 *         }
 *         int length = buffer.getInt(buffer.readerIndex());
 *         if (buffer.readableBytes() &lt; 4 + length) {
 *             return null;                                   // nothing was read: called again when there is more
 *         }
 *         buffer.skipBytes(4);
 *         return buffer.readBytes(length);
 *     }
 * }
 * </pre>
 *
 * <h2>How bytes are kept</h2>
 *
 * Frames that lie in one read are decoded straight from it. When a frame straddles reads, the unread bytes are kept in
 * {@link #cumulation}: a short read is copied behind them into a buffer that grows twofold (so that a frame that comes byte
 * by byte costs a time linear in its length), a long one is joined without a copy, and once the frame that straddled is
 * out, decoding goes on in the read itself. When nothing is left unread, nothing is kept. Bytes that were seen are never
 * overwritten, so a frame may be a slice of the buffer.
 *
 * <h2>Leaving</h2>
 *
 * A decoder that is removed or replaced while bytes are left sends them on as one last message, after the frames that it
 * had decoded: to the handler that took its place, or else to the next one. Remove it on the channel's I/O thread, for
 * instance in {@code decode} or in the handler that gets the frame; from another thread, bytes that are received meanwhile
 * may pass by.
 *
 * <p>When the channel disconnects or closes, {@code decode} and then {@link #decodeLast} see what is left.
 *
 * <h2>Errors</h2>
 *
 * What {@code decode} throws becomes an {@code exceptionCaught} event. If it had read something, decoding goes on behind
 * that. If it had read nothing, the bytes are kept and tried again with the next read, or thrown away if the channel closes
 * first.
 *
 * <p>A failure on whose account the channel is closed is the last thing that is decoded, whether it was {@code decode} that
 * failed or a handler on receiving a frame: if a close was asked for when {@code exceptionCaught} returns, frames that lie
 * behind are not sent on, nor what is left of an unfolded list. A handler that closes the channel without a failure gets the
 * frames of that read all the same, as it did in Netty 3.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events. An instance belongs to one pipeline. The
 * setters are for the time before it is added to one.
 */
public abstract class FrameDecoder extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
    /** How many buffers a cumulation may consist of before they are copied together, unless set otherwise. */
    public static final int DEFAULT_MAX_COMPOSITEBUFFER_COMPONENTS = 1024;

    /** Reads of this size or more are joined to the cumulation; a composite costs about as much as copying this many bytes. */
    private static final int MIN_JOINED_BYTES = 1024;

    private static final int MIN_CAPACITY = 256;

    /** A kept buffer in which less than one part in this many is unread is given up for a smaller one. */
    private static final int MAX_WASTE = 4;

    /**
     * The bytes that were received and not read, including those that {@code decode} is being shown; null when there are
     * none.
     */
    protected ChannelBuffer cumulation;

    /** The cumulation if it was made here, so that nobody else writes to it; null otherwise. */
    private ChannelBuffer ownBuffer;

    /** The read whose bytes end the cumulation without having been copied into it; null if there is none. */
    private ChannelBuffer joinedRead;

    /** Where {@link #joinedRead} starts in the cumulation. */
    private int joinedReadStart;

    /** Where this decoder sits; null before it is added and after it was removed. */
    private ChannelHandlerContext ctx;

    /** Where the handler before this one sits, once this one is being removed; null if it is the first. */
    private ChannelHandlerContext ctxBefore;

    private boolean unfold;
    private int maxCumulationBufferCapacity;
    private int maxCumulationBufferComponents = DEFAULT_MAX_COMPOSITEBUFFER_COMPONENTS;

    /** A call of {@link #messageReceived} or {@link #cleanup} is on the stack. */
    private boolean decoding;

    private boolean removed;

    /** The channel was closed while {@link #decoding}. */
    private boolean closed;

    /** Decoding failed, and would fail again before another read: what is left is not decoded when the channel closes. */
    private boolean stuck;

    /** The channel was closed on account of a failure while {@link #decoding}: nothing more of this connection is decoded. */
    private boolean abandoned;

    /** Bytes were received on a connection whose end has not been dealt with. */
    private boolean endExpected;

    /** Reads that came while {@link #decoding}, in order; null until there is one. */
    private Queue<ChannelBuffer> laterReads;

    private int droppedBytes;

    protected FrameDecoder() {}

    /** @param unfold see {@link #setUnfold} */
    protected FrameDecoder(boolean unfold) {
        this.unfold = unfold;
    }

    public final boolean isUnfold() {
        return unfold;
    }

    /**
     * Whether the elements of an {@code Object[]} or {@link Iterable} that {@code decode} returns are sent on as one
     * message each. Default: false, they go as one message.
     *
     * @throws IllegalStateException if the decoder is in a pipeline
     */
    public final void setUnfold(boolean unfold) {
        checkNotAdded();
        this.unfold = unfold;
    }

    public final int getMaxCumulationBufferCapacity() {
        return maxCumulationBufferCapacity;
    }

    /**
     * Up to which capacity a buffer is kept whole however few unread bytes are in it. Beyond, the unread bytes are copied
     * into a smaller one if they fill less than a quarter of it, so that a few bytes do not keep a large read alive.
     *
     * @param capacity bytes, 0 or more; default 0
     * @throws IllegalStateException if the decoder is in a pipeline
     */
    public final void setMaxCumulationBufferCapacity(int capacity) {
        checkNotAdded();
        if (capacity < 0) {
            throw new IllegalArgumentException("maxCumulationBufferCapacity < 0: " + capacity);
        }
        maxCumulationBufferCapacity = capacity;
    }

    public final int getMaxCumulationBufferComponents() {
        return maxCumulationBufferComponents;
    }

    /**
     * Of how many reads a cumulation may consist before they are copied together.
     *
     * @param components 2 or more; default {@value #DEFAULT_MAX_COMPOSITEBUFFER_COMPONENTS}
     * @throws IllegalStateException if the decoder is in a pipeline
     */
    public final void setMaxCumulationBufferComponents(int components) {
        checkNotAdded();
        if (components < 2) {
            throw new IllegalArgumentException("maxCumulationBufferComponents < 2: " + components);
        }
        maxCumulationBufferComponents = components;
    }

    private void checkNotAdded() {
        if (ctx != null) {
            throw new IllegalStateException("a decoder that is in a pipeline cannot be configured: " + ctx.getName());
        }
    }

    /**
     * How many received bytes are not decoded. After the channel closed: how many were thrown away because no frame could
     * be made of them.
     */
    public final int undecodedBytes() {
        return cumulation != null ? cumulation.readableBytes() : droppedBytes;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (!(e.getMessage() instanceof ChannelBuffer)) {
            ctx.sendUpstream(e);
            return;
        }
        ChannelBuffer input = (ChannelBuffer) e.getMessage();
        if (!input.readable()) {
            return;
        }
        if (abandoned) {
            droppedBytes += input.readableBytes();
            return;
        }
        if (decoding) {
            readLater(input);
            return;
        }
        if (this.ctx == null) {
            this.ctx = ctx; // a handler that holds this decoder delegates to it
        }
        endExpected = true;
        decoding = true;
        try {
            for (ChannelBuffer next = input; next != null; next = nextLaterRead()) {
                stuck = false;
                take(next);
                decodeCumulation(ctx, e.getChannel(), e.getRemoteAddress());
            }
        } finally {
            decoding = false;
            settle(ctx);
        }
    }

    /** A handler's reaction to a frame brought more bytes; decoding them now would bring their frames too early. */
    private void readLater(ChannelBuffer input) {
        if (laterReads == null) {
            laterReads = new ArrayDeque<>(2);
        }
        laterReads.add(input);
    }

    private ChannelBuffer nextLaterRead() {
        return laterReads == null ? null : laterReads.poll();
    }

    private void take(ChannelBuffer input) {
        joinedRead = null;
        if (cumulation != null && cumulation.readable()) {
            cumulation = appendToCumulation(input);
        } else {
            ownBuffer = null;
            cumulation = input;
        }
    }

    private void decodeCumulation(ChannelHandlerContext ctx, Channel channel, SocketAddress remoteAddress)
            throws Exception {
        while (cumulation != null && cumulation.readable() && !removed) {
            ChannelBuffer buffer = cumulation;
            int start = buffer.readerIndex();
            Object frame = null;
            boolean progress;
            try {
                frame = decode(ctx, channel, buffer);
                progress = madeProgress(buffer, start);
            } catch (Exception failure) {
                if (!madeProgress(buffer, start) || !channel.isOpen()) {
                    stuck = true;
                    throw failure;
                }
                progress = true;
                Channels.fireExceptionCaught(channel, failure);
                abandoned |= !channel.isOpen(); // in case that a subclass overrides exceptionCaught
            }
            if (!progress) {
                if (frame != null) {
                    throw new IllegalStateException(
                            "decode() of " + getClass().getName() + " returned a frame but read nothing");
                }
                return;
            }
            if (frame != null) {
                unfoldAndFireMessageReceived(ctx, remoteAddress, frame);
            }
            if (abandoned) {
                dropBytes();
                return;
            }
            leaveEarlierReads();
        }
    }

    /**
     * Whether the last call of {@code decode} got anywhere, so that another call makes sense: by default, whether it read
     * something.
     *
     * @param start the reader index of {@code buffer} before the call
     */
    protected boolean madeProgress(ChannelBuffer buffer, int start) {
        return buffer.readerIndex() != start;
    }

    /** Once what came before the last read is decoded, that read is faster to decode than the composite it is part of. */
    private void leaveEarlierReads() {
        ChannelBuffer joined = cumulation;
        if (joinedRead != null && joined != null && joined.readerIndex() >= joinedReadStart) {
            joinedRead.readerIndex(joinedRead.writerIndex() - joined.readableBytes());
            cumulation = joinedRead;
            joinedRead = null;
        }
    }

    /** Leaves the fields as they are to be between two reads, whatever happened in this one. */
    private void settle(ChannelHandlerContext ctx) throws Exception {
        for (ChannelBuffer next = nextLaterRead(); next != null; next = nextLaterRead()) {
            take(next);
        }
        joinedRead = null;
        if (removed) {
            handOver(ctx);
        } else if (closed) {
            decodeRemainder(ctx);
        } else if (cumulation != null) {
            cumulation = updateCumulation(ctx, cumulation);
        }
    }

    /**
     * Puts the bytes of a read behind those that are unread.
     *
     * @param input has at least one readable byte, and so has {@link #cumulation}
     * @return the buffer to decode, with the unread bytes of both; becomes the cumulation
     */
    protected ChannelBuffer appendToCumulation(ChannelBuffer input) {
        int unread = cumulation.readableBytes();
        int length = input.readableBytes();
        if (cumulation == ownBuffer && ownBuffer.writableBytes() >= length) {
            ownBuffer.writeBytes(input, input.readerIndex(), length);
            return ownBuffer;
        }
        if (length >= MIN_JOINED_BYTES && canBeJoined(input)) {
            joinedRead = input;
            joinedReadStart = unread;
            ownBuffer = null;
            return ChannelBuffers.wrappedBuffer(cumulation, input);
        }
        ChannelBuffer grown = newCumulationBuffer(ctx, grownCapacity(unread, length));
        grown.writeBytes(cumulation, cumulation.readerIndex(), unread);
        grown.writeBytes(input, input.readerIndex(), length);
        ownBuffer = grown;
        return grown;
    }

    private boolean canBeJoined(ChannelBuffer input) {
        return input.order() == cumulation.order()
                && (!(cumulation instanceof CompositeChannelBuffer)
                        || ((CompositeChannelBuffer) cumulation).numComponents() < maxCumulationBufferComponents);
    }

    private static int grownCapacity(int unread, int length) {
        if (unread > Integer.MAX_VALUE - length) {
            throw new IllegalStateException("unread bytes > " + Integer.MAX_VALUE + ": " + ((long) unread + length));
        }
        int doubled = unread > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : unread * 2;
        return Math.max(unread + length, doubled);
    }

    /**
     * Decides what to keep of the bytes that are left after a read was decoded.
     *
     * @return the next {@link #cumulation}; null if {@code input} has nothing unread
     */
    protected ChannelBuffer updateCumulation(ChannelHandlerContext ctx, ChannelBuffer input) {
        int unread = input.readableBytes();
        if (unread == 0) {
            ownBuffer = null;
            return null;
        }
        int capacity = input.capacity();
        if (capacity <= Math.max(MIN_CAPACITY, maxCumulationBufferCapacity) || capacity / MAX_WASTE <= unread) {
            return input;
        }
        ChannelBuffer smaller = newCumulationBuffer(ctx, unread);
        smaller.writeBytes(input, input.readerIndex(), unread);
        ownBuffer = smaller;
        return smaller;
    }

    /**
     * Makes a buffer to collect unread bytes in.
     *
     * @param minimumCapacity bytes; the default implementation asks the channel's factory for a few more
     */
    protected ChannelBuffer newCumulationBuffer(ChannelHandlerContext ctx, int minimumCapacity) {
        ChannelBufferFactory factory = ctx.getChannel().getConfig().getBufferFactory();
        // A number must read the same whether or not its bytes were collected here.
        ByteOrder order = cumulation == null ? factory.getDefaultOrder() : cumulation.order();
        return factory.getBuffer(order, Math.max(minimumCapacity, MIN_CAPACITY));
    }

    @Override
    public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        cleanup(ctx, e);
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        cleanup(ctx, e);
    }

    /** Failures of handlers behind this one come along, too: they start at the first handler. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        boolean mayBeClosed = decoding && !PendingClose.isClosing(e.getChannel());
        ctx.sendUpstream(e);
        if (mayBeClosed && PendingClose.isClosing(e.getChannel())) {
            abandoned = true;
        }
    }

    /**
     * Decodes the next frame.
     *
     * @param buffer the unread bytes, at least one. Read what is used up, and nothing else; do not keep the buffer.
     * @return the frame, for which at least one byte must have been read. Null if there is none: if nothing was read
     *     either, the method is called again when there are more bytes, else at once.
     */
    protected abstract Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception;

    /**
     * Decodes what is left when the channel disconnects, after {@link #decode} could make nothing more of it. Called once,
     * and only if there is something left. By default, the same as {@code decode}.
     *
     * @return the last frame or frames, or null; what stays unread is thrown away
     */
    protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        return decode(ctx, channel, buffer);
    }

    /** Whether {@link #decodeLast} is to be called even if nothing is left. By default not. */
    protected boolean decodesEmptyEnd() {
        return false;
    }

    /** Sends a decoded frame on: as several messages if it is a list or an array and {@link #isUnfold()}. */
    protected final void unfoldAndFireMessageReceived(
            ChannelHandlerContext context, SocketAddress remoteAddress, Object result) {
        if (unfold && result instanceof Object[]) {
            for (Object frame : (Object[]) result) {
                if (abandoned) {
                    return;
                }
                Channels.fireMessageReceived(context, frame, remoteAddress);
            }
        } else if (unfold && result instanceof Iterable) {
            for (Object frame : (Iterable<?>) result) {
                if (abandoned) {
                    return;
                }
                Channels.fireMessageReceived(context, frame, remoteAddress);
            }
        } else {
            Channels.fireMessageReceived(context, result, remoteAddress);
        }
    }

    /**
     * Decodes what is left, forgets what cannot be decoded, and passes the event on. Called when the channel disconnects
     * and again when it closes.
     */
    protected void cleanup(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        if (decoding) {
            closed = true; // a handler closed the channel on receiving a frame: what is left follows that frame
        } else if (endExpected) {
            decodeRemainder(ctx);
        }
        ctx.sendUpstream(e);
    }

    private void decodeRemainder(ChannelHandlerContext ctx) {
        Channel channel = ctx.getChannel();
        closed = false;
        endExpected = false;
        decoding = true;
        try {
            if (!stuck && !abandoned) {
                decodeToEnd(ctx, channel);
            }
        } catch (Exception failure) {
            Channels.fireExceptionCaught(channel, failure);
        } finally {
            decoding = false;
            if (removed) {
                handOver(ctx);
            }
            dropBytes();
        }
    }

    private void decodeToEnd(ChannelHandlerContext ctx, Channel channel) throws Exception {
        decodeCumulation(ctx, channel, null);
        ChannelBuffer rest = internalBuffer();
        if (!removed && !stuck && !abandoned && (rest.readable() || decodesEmptyEnd())) {
            Object last = decodeLast(ctx, channel, rest);
            if (last != null) {
                unfoldAndFireMessageReceived(ctx, null, last);
            }
        }
    }

    private void dropBytes() {
        droppedBytes = undecodedBytes();
        forgetBytes();
    }

    private void forgetBytes() {
        cumulation = null;
        ownBuffer = null;
        joinedRead = null;
        laterReads = null;
    }

    /**
     * Puts another handler in the place of this decoder; it gets the bytes that are left. The same as {@code replace} of
     * the pipeline.
     *
     * @throws IllegalStateException if this decoder is in no pipeline
     */
    public void replace(String handlerName, ChannelHandler handler) {
        if (ctx == null) {
            throw new IllegalStateException("a decoder that is in no pipeline cannot be replaced by " + handlerName);
        }
        ctx.getPipeline().replace(this, handlerName, handler);
    }

    /** How many received bytes are not read, also where the buffer given to {@code decode} does not tell. */
    protected int actualReadableBytes() {
        return internalBuffer().readableBytes();
    }

    /** The unread bytes themselves, never null. Reading from it counts as reading from the buffer given to {@code decode}. */
    protected ChannelBuffer internalBuffer() {
        return cumulation == null ? ChannelBuffers.EMPTY_BUFFER : cumulation;
    }

    /**
     * Makes the frame that is sent on out of a part of the buffer; does not change the buffer's indexes.
     *
     * <p>The default is a copy, so that a small frame which is kept does not keep a large read alive, and so that the
     * frame's array holds the frame alone; a frame that is the whole buffer is not copied. Return {@code
     * buffer.slice(index, length)} where frames are used up at once.
     */
    protected ChannelBuffer extractFrame(ChannelBuffer buffer, int index, int length) {
        return isWhole(buffer, index, length) ? buffer.slice(index, length) : buffer.copy(index, length);
    }

    private static boolean isWhole(ChannelBuffer buffer, int index, int length) {
        if (index != 0 || length != buffer.capacity()) {
            return false;
        }
        return buffer.hasArray() ? buffer.array().length == length : buffer.isDirect();
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        this.ctx = ctx;
        removed = false;
        closed = false;
        stuck = false;
        abandoned = false;
        endExpected = false;
        droppedBytes = 0;
    }

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        // For subclasses.
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        List<String> names = ctx.getPipeline().getNames();
        int position = names.indexOf(ctx.getName());
        ctxBefore = position > 0 ? ctx.getPipeline().getContext(names.get(position - 1)) : null;
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getPipeline().isAttached()) {
            ctx.getPipeline().execute(() -> onRemoved(ctx));
        } else {
            onRemoved(ctx);
        }
    }

    private void onRemoved(ChannelHandlerContext formerCtx) {
        if (ctx == formerCtx) {
            ctx = null;
        }
        removed = true;
        if (!decoding) {
            handOver(formerCtx);
        }
    }

    /** Sends the unread bytes to whoever stands where this decoder stood. */
    private void handOver(ChannelHandlerContext formerCtx) {
        ChannelBuffer unread = cumulation;
        forgetBytes();
        if (unread == null || !unread.readable()) {
            return;
        }
        Channel channel = formerCtx.getChannel();
        MessageEvent e = new UpstreamMessageEvent(channel, unread, channel.getRemoteAddress());
        if (ctxBefore == null) {
            formerCtx.getPipeline().sendUpstream(e);
        } else {
            ctxBefore.sendUpstream(e);
        }
    }
}
