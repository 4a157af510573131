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
 * Cuts a stream of bytes into frames. A subclass finds the next frame in {@link #decode}; this class keeps the unread
 * bytes until more arrive, and passes them on when the decoder is removed.
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
 * <p>Frames within one read are decoded straight from it. If a frame spans reads, the unread bytes are kept in
 * {@link #cumulation}. A short read is copied after them into a buffer that doubles, so a frame that arrives byte by
 * byte costs time linear in its length. A long read is joined without a copy. After the frame that spanned reads,
 * decoding continues in the last read itself. If nothing is unread, nothing is kept.
 *
 * <p>Bytes that {@code decode} has seen are never overwritten, so a frame may be a slice of the buffer. Freshet's own
 * length-based decoders collect a long frame in the very buffer they hand on ({@link #expectFrame}).
 *
 * <h2>Removal</h2>
 *
 * <p>If a decoder is removed or replaced while bytes are unread, it sends them as one last message, after the frames it
 * has decoded: to its replacement, or else to the next handler. Remove it on the channel's I/O thread, for instance in
 * {@code decode} or in the handler that receives the frame. If another thread removes it, bytes received at the same
 * time may overtake the unread ones. If the handler that removes the decoder during a read then closes the channel, or
 * throws and its failure closes the channel, the unread bytes are discarded.
 *
 * <p>When the channel disconnects or closes, the unread bytes go to {@code decode} and then to {@link #decodeLast}.
 * That happens earlier if the peer ends its output and the channel stays open ({@link InputShutdownEvent}).
 *
 * <h2>Errors</h2>
 *
 * <p>An exception thrown by {@code decode} becomes an {@code exceptionCaught} event. If {@code decode} had read
 * something, decoding continues after that. If it had read nothing, the bytes are kept and tried again with the next
 * read, or discarded if the channel closes first.
 *
 * <p>If a failure closes the channel, nothing after it is decoded, whether {@code decode} failed or a handler that
 * received a frame. If a close was requested by the time {@code exceptionCaught} returns, later frames are not sent
 * upstream, nor is the rest of an unfolded list. A handler that closes the channel without a failure still receives the
 * other frames of that read, as in Netty 3.
 *
 * <h2>Borrowing</h2>
 *
 * <p>You can mark a subclass {@link ChannelHandler.Borrower}. It must then make its frames with {@code copy},
 * {@code readBytes} or {@link #extractFrame}: the buffer given to {@code decode} may be lent, and frames must not share
 * its bytes.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events. An instance belongs to one pipeline. Call
 * the setters before you add it to one.
 */
public abstract class FrameDecoder extends SimpleChannelUpstreamHandler
        implements LifeCycleAwareChannelHandler, Explainable {
    /** The default of {@link #setMaxCumulationBufferComponents}. */
    public static final int DEFAULT_MAX_COMPOSITEBUFFER_COMPONENTS = 1024;

    /**
     * The received bytes that are not yet read, including those given to {@code decode}; null if all bytes are read.
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
     * Sets whether the elements of an {@code Object[]} or {@link Iterable} returned by {@code decode} become one
     * message each. Default: false, the whole is one message.
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
     * Sets the capacity up to which a buffer is kept as it is, however few bytes in it are unread. A larger buffer is
     * replaced by a smaller copy if less than a quarter of it is unread, so a few bytes do not keep a large read alive.
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
     * Sets the number of reads that a cumulation may consist of before they are copied together.
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
            throw new IllegalStateException("cannot configure a decoder in a pipeline: "
                    + loop.context().getName());
        }
    }

    /**
     * Returns the number of received bytes that are unread. Once the channel is closed, returns the number of bytes
     * discarded because they did not make a frame.
     */
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
     * Returns whether the last call of {@code decode} made progress and another call makes sense. By default: whether
     * it read something.
     *
     * @param start the reader index of {@code buffer} before the call
     */
    protected boolean madeProgress(ChannelBuffer buffer, int start) {
        return buffer.readerIndex() != start;
    }

    /**
     * Reports the number of bytes that wait for the rest of their frame. A subclass that reports more calls this first.
     */
    @Override
    public void explain(ChannelHandlerContext ctx, Explanation out) {
        ChannelBuffer unread = cumulation;
        out.put("unread bytes", unread == null ? 0 : unread.readableBytes());
    }

    // ---- the cumulation ----

    /**
     * Appends the bytes of a read to the unread ones.
     *
     * @param input has at least one readable byte, as does {@link #cumulation}
     * @return the buffer to decode, with the unread bytes of both; becomes the cumulation
     */
    protected ChannelBuffer appendToCumulation(ChannelBuffer input) {
        return cumulator.append(this, cumulation, input);
    }

    /**
     * Decides which buffer to keep for the bytes left unread after decoding a read.
     *
     * @return the next {@link #cumulation}; null if {@code input} has nothing unread
     */
    protected ChannelBuffer updateCumulation(ChannelHandlerContext ctx, ChannelBuffer input) {
        return cumulator.trim(this, input);
    }

    final ChannelBuffer allocate(int minimumCapacity) {
        return newCumulationBuffer(loop.context(), minimumCapacity);
    }

    /** Allocates the buffer of a frame that is handed on as collected. */
    final ChannelBuffer allocateExactly(int capacity) {
        return factory(loop.context()).getBuffer(cumulation.order(), capacity);
    }

    /**
     * Makes a buffer for collecting unread bytes.
     *
     * @param minimumCapacity bytes; the default implementation asks the channel's factory for a few more
     */
    protected ChannelBuffer newCumulationBuffer(ChannelHandlerContext ctx, int minimumCapacity) {
        ChannelBufferFactory factory = factory(ctx);
        // A number must read the same whether its bytes were collected here or not.
        ByteOrder order = cumulation == null ? factory.getDefaultOrder() : cumulation.order();
        return factory.getBuffer(order, Math.max(minimumCapacity, Cumulator.MIN_CAPACITY));
    }

    /**
     * Returns the number of received bytes that are unread, even if the buffer given to {@code decode} does not know,
     * as in a replaying decoder.
     */
    protected int actualReadableBytes() {
        return internalBuffer().readableBytes();
    }

    /**
     * Returns the unread bytes themselves, never null. Reading from this buffer counts as reading from the one given to
     * {@code decode}.
     */
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
     * @param buffer the unread bytes, at least one. Read only what the frame uses up; do not keep the buffer.
     * @return the frame, for which at least one byte must have been read; or null. If null was returned and nothing was
     *     read, the method is called again when more bytes arrive, otherwise right away.
     */
    protected abstract Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception;

    /**
     * Decodes the unread bytes when the channel disconnects or the peer has ended its output, after {@link #decode} has
     * returned null. Called once, and only if something is unread. By default, the same as {@code decode}.
     *
     * @return the last frame or frames, or null; bytes that stay unread are discarded
     */
    protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        return decode(ctx, channel, buffer);
    }

    /** Returns whether to call {@link #decodeLast} even if nothing is unread. Default: false. */
    protected boolean decodesLastWhenEmpty() {
        return false;
    }

    /**
     * Announces the length of an incomplete frame. Call it in {@link #decode} before returning null because bytes are
     * missing. The frame is then collected in one buffer, and {@code decode} is called with exactly that frame once it
     * is complete. Memory for a long frame is allocated as the frame arrives, at most 16 times the bytes received.
     *
     * <p>Has no effect unless the decoder's class is marked {@link ChannelHandler.Borrower}; other decoders see the
     * bytes after the frame, as usual.
     *
     * @param frameBytes length from the reader index; no effect unless it is more than the readable bytes
     * @param strippedBytes number of bytes at the beginning of the frame that {@link #extractFrame} will leave out; 0
     *     or more
     */
    protected final void expectFrame(int frameBytes, int strippedBytes) {
        if (borrows) {
            cumulator.expect(frameBytes, strippedBytes);
        }
    }

    /**
     * Makes the frame to send on from a part of the buffer. Does not change the buffer's indexes.
     *
     * <p>By default it copies, so a small frame does not keep a large read alive and the frame's array holds only the
     * frame. A frame that is the whole buffer is not copied. Return {@code buffer.slice(index, length)} if your frames
     * are processed immediately and never kept.
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

    /** Sends a decoded frame upstream; as several messages if it is a list or an array and {@link #isUnfold()}. */
    protected final void unfoldAndFireMessageReceived(
            ChannelHandlerContext context, SocketAddress remoteAddress, Object result) {
        if (unfold) {
            loop.fireUnfolded(context, remoteAddress, result);
        } else {
            Channels.fireMessageReceived(context, result, remoteAddress);
        }
    }

    // ---- failures ----

    /** Also sees failures of later handlers: an exception event starts at the first handler. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        loop.onException(ctx, e);
    }

    // ---- the end of the connection ----

    /**
     * Decodes the unread bytes and passes the event on: when a peer ends its output, everything it sent is complete.
     */
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
     * Decodes the unread bytes, discards the rest, and passes the event on. Called when the channel disconnects and
     * again when it closes.
     */
    protected void cleanup(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        loop.onEnd(ctx);
        ctx.sendUpstream(e);
    }

    /**
     * Called after the unread bytes were discarded or handed over, because the connection has ended or the decoder was
     * removed: a frame that has begun has no rest. A subclass that remembers part of a frame forgets it here, because the
     * channel may connect again. By default does nothing.
     */
    protected void onBytesForgotten() {}

    // ---- being added and removed ----

    /**
     * Replaces this decoder with another handler, which receives the unread bytes. Does the same as the pipeline's
     * {@code replace}.
     *
     * @throws IllegalStateException if this decoder is not in a pipeline
     */
    public void replace(String handlerName, ChannelHandler handler) {
        if (loop.context() == null) {
            throw new IllegalStateException("decoder is not in a pipeline, cannot replace it with " + handlerName);
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
