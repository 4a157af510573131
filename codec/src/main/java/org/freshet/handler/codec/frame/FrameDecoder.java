package org.freshet.handler.codec.frame;

import java.net.SocketAddress;
import java.nio.ByteOrder;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.internal.handler.Borrowers;
import org.freshet.internal.lending.LentChannelBuffer;
import org.freshet.telemetry.Explainable;
import org.freshet.telemetry.Explanation;

/**
 * Cuts a stream of bytes into frames. A subclass says in {@link #decode} where the next frame ends; this class keeps the
 * unread bytes until more arrive, and passes them on when the decoder is removed.
 *
 * <pre>{@code
 * public class BlockDecoder extends FrameDecoder { // a 4-byte length, then that many bytes
 *     private static final int MAX_BLOCK_BYTES = 1 << 20;
 *
 *     @Override
 *     protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
 *         if (buffer.readableBytes() < 4) {
 *             return null; // not even the length
 *         }
 *         int length = buffer.getInt(buffer.readerIndex());
 *         if (length < 0 || length > MAX_BLOCK_BYTES) {
 *             channel.close(); // where the next block starts is unknown
 *             throw new CorruptedFrameException("length < 0 or > " + MAX_BLOCK_BYTES + ": " + length);
 *         }
 *         if (buffer.readableBytes() - 4 < length) {
 *             return null; // nothing was read: called again when more bytes arrive
 *         }
 *         buffer.skipBytes(4);
 *         return buffer.readBytes(length);
 *     }
 * }
 * }</pre>
 *
 * <h2>How bytes are kept</h2>
 *
 * Frames that lie in one read are decoded straight from it. When a frame spans reads, the unread bytes are kept in {@link
 * #cumulation}: a short read is copied after them into a buffer that doubles (so a frame that arrives byte by byte costs
 * time linear in its length), a long one is joined without a copy, and once the frame that spanned reads is decoded,
 * decoding continues in the read itself. When nothing is unread, nothing is kept. Bytes that {@code decode} has seen are
 * never overwritten, so a frame may be a slice of the buffer. Freshet's own decoders of frames with a length collect a long one in a
 * buffer that is handed on as it is ({@link #expectFrame}).
 *
 * <h2>Removal</h2>
 *
 * A decoder that is removed or replaced while bytes are unread sends them on as one last message, after the frames that it
 * has decoded: to the handler that replaced it, or else to the next one. Remove it on the channel's I/O thread, for instance
 * in {@code decode} or in the handler that receives the frame; if another thread removes it, bytes received meanwhile may
 * overtake the unread ones.
 *
 * <p>When the channel disconnects or closes, {@code decode} and then {@link #decodeLast} see what is unread; or before that, when
 * the peer ends its output and the channel stays open ({@link InputShutdownEvent}).
 *
 * <h2>Errors</h2>
 *
 * What {@code decode} throws becomes an {@code exceptionCaught} event. If it had read something, decoding continues after
 * that. If it had read nothing, the bytes are kept and tried again with the next read, or discarded if the channel closes
 * first.
 *
 * <p>If a failure closes the channel, nothing after it is decoded, whether {@code decode} failed or a handler that received a
 * frame: if a close was requested by the time {@code exceptionCaught} returns, frames that follow are not sent on, nor is
 * the rest of an unfolded list. A handler that closes the channel without a failure still receives the frames of that read,
 * as in Netty 3.
 *
 * <h2>Borrowing</h2>
 *
 * A subclass may be marked {@link ChannelHandler.Borrower}. It must then make its frames by {@code copy}, {@code readBytes} or {@link
 * #extractFrame}, so that none shares its bytes with the buffer that {@code decode} is given, which may be lent.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events. An instance belongs to one pipeline. Call the
 * setters before it is added to one.
 */
public abstract class FrameDecoder extends SimpleChannelUpstreamHandler
        implements LifeCycleAwareChannelHandler, Explainable {
    /** The default of {@link #setMaxCumulationBufferComponents}. */
    public static final int DEFAULT_MAX_COMPOSITEBUFFER_COMPONENTS = 1024;

    /**
     * The bytes that were received and not read, including those that {@code decode} is being shown; null when there are
     * none.
     */
    protected ChannelBuffer cumulation;

    private final boolean borrows = Borrowers.isMarked(getClass());

    private final Cumulator cumulator = new Cumulator();
    private final DecodingLoop loop = new DecodingLoop(this, cumulator);
    private boolean unfold;

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
     * message each. Default: false, they are sent on as one message.
     *
     * @throws IllegalStateException if the decoder is in a pipeline
     */
    public final void setUnfold(boolean unfold) {
        checkNotAdded();
        this.unfold = unfold;
    }

    public final int getMaxCumulationBufferCapacity() {
        return cumulator.maxCapacity;
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
        cumulator.maxCapacity = capacity;
    }

    public final int getMaxCumulationBufferComponents() {
        return cumulator.maxComponents;
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
        cumulator.maxComponents = components;
    }

    private void checkNotAdded() {
        if (loop.context() != null) {
            throw new IllegalStateException("a decoder that is in a pipeline cannot be configured: "
                    + loop.context().getName());
        }
    }

    /** How many received bytes are unread or, once the channel is closed, how many were discarded because no frame could be
     * made of them. */
    public final int undecodedBytes() {
        return loop.undecodedBytes();
    }

    // ---- reads ----

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (!((borrows ? Channels.borrow(e) : e.getMessage()) instanceof ChannelBuffer read)) {
            ctx.sendUpstream(e);
            return;
        }
        if (read.readable()) {
            loop.onRead(ctx, e, read);
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

    /** Says how many bytes wait for the rest of their frame. A subclass that has more to say calls this first. */
    @Override
    public void explain(ChannelHandlerContext ctx, Explanation out) {
        ChannelBuffer unread = cumulation;
        out.put("unread bytes", unread == null ? 0 : unread.readableBytes());
    }

    // ---- the cumulation ----

    /**
     * Appends the bytes of a read to those that are unread.
     *
     * @param input has at least one readable byte, and so has {@link #cumulation}
     * @return the buffer to decode, with the unread bytes of both; becomes the cumulation
     */
    protected ChannelBuffer appendToCumulation(ChannelBuffer input) {
        return cumulator.append(this, cumulation, input);
    }

    /**
     * Decides what to keep of the bytes that are unread after a read was decoded.
     *
     * @return the next {@link #cumulation}; null if {@code input} has nothing unread
     */
    protected ChannelBuffer updateCumulation(ChannelHandlerContext ctx, ChannelBuffer input) {
        return cumulator.trim(this, input);
    }

    final ChannelBuffer allocate(int minimumCapacity) {
        return newCumulationBuffer(loop.context(), minimumCapacity);
    }

    /** For a frame that is handed on as it was collected. */
    final ChannelBuffer allocateExactly(int capacity) {
        return factory(loop.context()).getBuffer(cumulation.order(), capacity);
    }

    /**
     * Makes a buffer to collect unread bytes in.
     *
     * @param minimumCapacity bytes; the default implementation asks the channel's factory for a few more
     */
    protected ChannelBuffer newCumulationBuffer(ChannelHandlerContext ctx, int minimumCapacity) {
        ChannelBufferFactory factory = factory(ctx);
        // A number must read the same whether or not its bytes were collected here.
        ByteOrder order = cumulation == null ? factory.getDefaultOrder() : cumulation.order();
        return factory.getBuffer(order, Math.max(minimumCapacity, Cumulator.MIN_CAPACITY));
    }

    /** How many received bytes are not read, also where the buffer given to {@code decode} does not tell. */
    protected int actualReadableBytes() {
        return internalBuffer().readableBytes();
    }

    /** The unread bytes themselves, never null. Reading from it counts as reading from the buffer given to {@code decode}. */
    protected ChannelBuffer internalBuffer() {
        return cumulation == null ? ChannelBuffers.EMPTY_BUFFER : cumulation;
    }

    private static ChannelBufferFactory factory(ChannelHandlerContext ctx) {
        return ctx.getChannel().getConfig().getBufferFactory();
    }

    // ---- frames ----

    /**
     * Decodes the next frame.
     *
     * @param buffer the unread bytes, at least one. Read what is used up, and nothing else; do not keep the buffer.
     * @return the frame, for which at least one byte must have been read. Null if there is none: if nothing was read
     *     either, the method is called again when more bytes arrive, else at once.
     */
    protected abstract Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception;

    /**
     * Decodes what is unread when the channel disconnects, or the peer has ended its output, after {@link #decode} could make
     * nothing more of it. Called once, and only if something is unread. By default, the same as {@code decode}.
     *
     * @return the last frame or frames, or null; what stays unread is discarded
     */
    protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        return decode(ctx, channel, buffer);
    }

    /** Whether {@link #decodeLast} is to be called even if nothing is unread. By default not. */
    protected boolean decodesEmptyEnd() {
        return false;
    }

    /**
     * Tells, in {@link #decode} when it returns null for want of bytes, how long the frame is. Its bytes are then collected in one buffer
     * that becomes as long as the frame, and {@code decode} sees them alone once they are all there. Memory for a long frame is taken as
     * the frame arrives, 16 times as much at most as has come.
     *
     * <p>Has an effect only if the decoder's class is marked {@link ChannelHandler.Borrower}; others see what follows a frame, as ever.
     *
     * @param frameBytes from the reader index on; more than are readable, or the call has no effect
     * @param strippedBytes of these, how many at the beginning will not be a part of what {@link #extractFrame} makes; 0 or more
     */
    protected final void expectFrame(int frameBytes, int strippedBytes) {
        if (borrows) {
            cumulator.expect(frameBytes, strippedBytes);
        }
    }

    /**
     * Makes the frame that is sent on out of a part of the buffer; does not change the buffer's indexes.
     *
     * <p>The default is a copy, so that a small frame which is kept does not keep a large read alive, and so that the
     * frame's array holds the frame alone; a frame that is the whole buffer is not copied. Return {@code
     * buffer.slice(index, length)} where frames are used up at once.
     */
    protected ChannelBuffer extractFrame(ChannelBuffer buffer, int index, int length) {
        ChannelBuffer collected = cumulator.collectedFrame(buffer, index, length);
        if (collected != null) {
            return collected;
        }
        return isWhole(buffer, index, length) ? buffer.slice(index, length) : buffer.copy(index, length);
    }

    private static boolean isWhole(ChannelBuffer buffer, int index, int length) {
        if (index != 0 || length != buffer.capacity() || buffer instanceof LentChannelBuffer) {
            return false;
        }
        return buffer.hasArray() ? buffer.array().length == length : buffer.isDirect();
    }

    /** Sends a decoded frame on: as several messages if it is a list or an array and {@link #isUnfold()}. */
    protected final void unfoldAndFireMessageReceived(
            ChannelHandlerContext context, SocketAddress remoteAddress, Object result) {
        if (unfold) {
            loop.fireUnfolded(context, remoteAddress, result);
        } else {
            Channels.fireMessageReceived(context, result, remoteAddress);
        }
    }

    // ---- failures ----

    /** Sees failures of later handlers, too: an exception event starts at the first handler. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        loop.onException(ctx, e);
    }

    // ---- the end of the connection ----

    /** Decodes what is unread, and passes the event on: what a peer sends that has ended its output is complete. */
    @Override
    public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) throws Exception {
        loop.onEnd(ctx);
        ctx.sendUpstream(e);
    }

    @Override
    public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        cleanup(ctx, e);
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        cleanup(ctx, e);
    }

    /**
     * Decodes what is unread, discards what cannot be decoded, and passes the event on. Called when the channel disconnects
     * and again when it closes.
     */
    protected void cleanup(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        loop.onEnd(ctx);
        ctx.sendUpstream(e);
    }

    // ---- being added and removed ----

    /**
     * Replaces this decoder by another handler, which receives the unread bytes. The same as {@code replace} of the
     * pipeline.
     *
     * @throws IllegalStateException if this decoder is in no pipeline
     */
    public void replace(String handlerName, ChannelHandler handler) {
        if (loop.context() == null) {
            throw new IllegalStateException("a decoder that is in no pipeline cannot be replaced by " + handlerName);
        }
        loop.context().getPipeline().replace(this, handlerName, handler);
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        loop.beforeAdd(ctx);
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        loop.beforeRemove(ctx);
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        loop.afterRemove(ctx);
    }
}
