package org.freshet.handler.codec.replay;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.telemetry.Explanation;

/**
 * A frame decoder that you write as if all bytes had arrived. If a byte is missing, {@code decode} is aborted, and
 * called again from the last {@linkplain #checkpoint() checkpoint} when more bytes arrive.
 *
 * <pre>{@code
 * public class MessageDecoder extends ReplayingDecoder<MessageDecoder.State> {
 *     enum State { LENGTH, BODY }
 *
 *     private static final int MAX_BODY_BYTES = 1 << 20;
 *
 *     private int length;
 *
 *     public MessageDecoder() {
 *         super(State.LENGTH);
 *     }
 *
 *     @Override
 *     protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
 *             throws Exception {
 *         if (state == State.LENGTH) {
 *             length = buffer.readInt();
 *             if (length < 0 || length > MAX_BODY_BYTES) {
 *                 channel.close(); // where the next message starts is unknown
 *                 throw new CorruptedFrameException("length < 0 or > " + MAX_BODY_BYTES + ": " + length);
 *             }
 *             checkpoint(State.BODY);
 *         }
 *         ChannelBuffer body = buffer.readBytes(length);
 *         checkpoint(State.LENGTH);
 *         return body;
 *     }
 * }
 * }</pre>
 *
 * <h2>Rules</h2>
 *
 * <ul>
 * <li>Everything since the last checkpoint is repeated, including changes to fields: set fields just before a
 *     checkpoint, as above. Without checkpoints, a message with many parts is read many times over.
 * <li>Check a length before you read that many bytes. Until they are complete, every byte from the peer is kept.
 * <li>The end of the buffer is not known while the channel is open: {@code readableBytes()} is a large number, and
 *     {@link #actualReadableBytes()} returns how many bytes have arrived. Methods that depend on the end, and methods
 *     that write, throw {@link UnreplayableOperationException}.
 * <li>A search ({@code bytesBefore}, {@code indexOf}) that finds nothing is repeated when more bytes arrive. At the end
 *     of the connection, it ends the attempt. It returns -1 only if it was limited to bytes that were all received.
 * <li>{@code decode} may return null if it has read something or changed the state without completing a message; it is
 *     then called again right away. It is an error to return null or a message without having done either.
 * </ul>
 *
 * <p>Cost: a replay throws one shared object without a stack trace. An attempt that would certainly fail is skipped: if
 * the last one needs more bytes than have arrived, the decoder waits. So a message read with {@code readBytes(length)}
 * costs two calls however many pieces it arrives in.
 *
 * @param <T> the type of the state; {@link VoidEnum} if there are no states
 */
public abstract class ReplayingDecoder<T extends Enum<T>> extends FrameDecoder {
    private final ReplayBuffer replayable = new ReplayBuffer();
    private final T initialState;
    private T state;

    /** How many bytes, from the last checkpoint on, are needed before another attempt makes sense. */
    private long wantedBytes;

    /** Whether the last attempt changed the state. */
    private boolean stateChanged;

    /** The initial state is null. */
    protected ReplayingDecoder() {
        this(null);
    }

    /** The initial state is null. */
    protected ReplayingDecoder(boolean unfold) {
        this(null, unfold);
    }

    protected ReplayingDecoder(T initialState) {
        this(initialState, false);
    }

    /** @param unfold see {@link #setUnfold} */
    protected ReplayingDecoder(T initialState, boolean unfold) {
        super(unfold);
        this.initialState = initialState;
        state = initialState;
    }

    /** Sets the checkpoint: the next replay starts here. */
    protected void checkpoint() {
        replayable.setCheckpoint();
        wantedBytes = 0;
    }

    /** Sets the checkpoint, and the state for the next call of {@code decode}. */
    protected void checkpoint(T state) {
        checkpoint();
        setState(state);
    }

    protected T getState() {
        return state;
    }

    /** Sets the state and returns the former one. A replay does not restore it. */
    protected T setState(T newState) {
        T former = state;
        state = newState;
        wantedBytes = 0;
        return former;
    }

    /**
     * Ends an attempt like a read beyond the received bytes, but without throwing: {@code decode} must return the
     * result immediately. For decoders that see in {@link #internalBuffer()} that bytes are missing.
     *
     * @return null
     */
    protected final <F> F replayWhenMoreArrives() {
        wantedBytes = replayable.rewindUntilMore();
        return null;
    }

    /**
     * Decodes the next frame; see the class comment.
     *
     * @param state the value of {@link #getState()} at the time of the call
     * @return the frame, or null
     */
    protected abstract Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, T state)
            throws Exception;

    /**
     * Decodes the rest when the channel disconnects or the peer has ended its output. Called once if anything was ever
     * received, even if nothing is unread. The end of the buffer is now known: {@code buffer.readable()} is false
     * there. By default it calls {@code decode}, so a message that lasts until the end of the connection can be
     * completed there.
     *
     * @return the last frame or frames, or null; bytes that stay unread are discarded
     */
    protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, T state)
            throws Exception {
        return decode(ctx, channel, buffer, state);
    }

    @Override
    protected final Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        stateChanged = false;
        if (buffer.readableBytes() < wantedBytes) {
            return null;
        }
        int start = buffer.readerIndex();
        Object frame = attempt(ctx, channel, buffer, false);
        if (frame == null && wantedBytes == 0 && !madeProgress(buffer, start)) {
            checkDone(ctx);
        }
        return frame;
    }

    @Override
    protected final Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer)
            throws Exception {
        return attempt(ctx, channel, buffer, true);
    }

    /** Returns null and leaves {@link #wantedBytes} positive if more bytes are needed. */
    private Object attempt(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, boolean last)
            throws Exception {
        T before = state;
        wantedBytes = 0;
        replayable.show(buffer);
        try {
            return last ? decodeLast(ctx, channel, replayable, state) : decode(ctx, channel, replayable, state);
        } catch (ReplaySignal signal) {
            wantedBytes = replayable.rewind();
            return null;
        } finally {
            if (wantedBytes == 0) {
                replayable.forgetSearches();
            }
            stateChanged = state != before;
            replayable.hide();
        }
    }

    @Override
    protected boolean madeProgress(ChannelBuffer buffer, int start) {
        return super.madeProgress(buffer, start) || stateChanged;
    }

    /** A decoder that has just left the pipeline, or that is at the end of input, need not read anything. */
    private void checkDone(ChannelHandlerContext ctx) {
        if (!replayable.isComplete() && ctx.getPipeline().getContext(this) != null) {
            throw new IllegalStateException("decode() of " + getClass().getName()
                    + " returned null but neither read anything nor changed its state");
        }
    }

    @Override
    protected boolean decodesLastWhenEmpty() {
        return true;
    }

    @Override
    public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) throws Exception {
        complete();
        super.inputShutdown(ctx, e);
    }

    @Override
    protected void cleanup(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        complete();
        super.cleanup(ctx, e);
    }

    /** Called when no more bytes will arrive. */
    private void complete() {
        replayable.setComplete(true);
        wantedBytes = 0;
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        super.beforeAdd(ctx);
        prepare();
    }

    /** Returns to the initial state; see {@link FrameDecoder}. A subclass that overrides this calls it first. */
    @Override
    protected void onBytesForgotten() {
        state = initialState;
        prepare();
    }

    private void prepare() {
        replayable.setComplete(false);
        replayable.forgetSearches();
        wantedBytes = 0;
    }

    /** Adds the state to the report of {@link FrameDecoder}. */
    @Override
    public void explain(ChannelHandlerContext ctx, Explanation out) {
        super.explain(ctx, out);
        out.put("state", state);
    }
}
