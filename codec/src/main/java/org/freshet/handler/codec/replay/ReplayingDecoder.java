package org.freshet.handler.codec.replay;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.telemetry.Explanation;

/**
 * A frame decoder that reads as if every byte had arrived. Where one is missing, {@code decode} is left, and called again
 * from the last {@linkplain #checkpoint() checkpoint} when more bytes arrive.
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
 * <h2>What to know</h2>
 *
 * <ul>
 * <li>Everything since the last checkpoint is done again, also what it did to fields: set fields just before a
 *     checkpoint, as above. Without checkpoints a message of many parts is read many times over.
 * <li>Check lengths before reading what they announce. Until then every byte that the peer sends is kept.
 * <li>The buffer's end is not known while the channel is open: {@code readableBytes()} is a large number, and {@link
 *     #actualReadableBytes()} tells how much has arrived. What would need the end, and what writes, throws {@link
 *     UnreplayableOperationException}.
 * <li>A search ({@code bytesBefore}, {@code indexOf}) that finds nothing is replayed when more bytes arrive; at the end of the
 *     connection it ends the attempt. It returns -1 only if it was limited to bytes that were all received.
 * <li>{@code decode} returns null if it has read something, or set another state, that makes no message; it is called
 *     again at once. Returning null or a message without doing either is an error.
 * </ul>
 *
 * <p>Cost: a replay is one throw of a shared object without a stack trace. A replay that could only fail for want of bytes,
 * since the one before asked for more than has arrived, does not happen: a message read by {@code
 * readBytes(length)} costs two calls however many pieces it arrives in.
 *
 * @param <T> the type of the state; {@link VoidEnum} if there is none
 */
public abstract class ReplayingDecoder<T extends Enum<T>> extends FrameDecoder {
    private final ReplayBuffer replayable = new ReplayBuffer();
    private T state;

    /** How many bytes there must be from the last checkpoint on before another attempt makes sense. */
    private long wantedBytes;

    /** Whether the last attempt ended in another state than it began. */
    private boolean stateChanged;

    /** Starts with the state null. */
    protected ReplayingDecoder() {
        this(null);
    }

    /** Starts with the state null. */
    protected ReplayingDecoder(boolean unfold) {
        this(null, unfold);
    }

    protected ReplayingDecoder(T initialState) {
        this(initialState, false);
    }

    /** @param unfold see {@link #setUnfold} */
    protected ReplayingDecoder(T initialState, boolean unfold) {
        super(unfold);
        state = initialState;
    }

    /** Ends what can be replayed: the next replay starts here. */
    protected void checkpoint() {
        replayable.setCheckpoint();
        wantedBytes = 0;
    }

    /** As {@link #checkpoint()}, and {@link #setState} for the next call of {@code decode}. */
    protected void checkpoint(T state) {
        checkpoint();
        setState(state);
    }

    protected T getState() {
        return state;
    }

    /** Returns the former state. A replay does not restore it. */
    protected T setState(T newState) {
        T former = state;
        state = newState;
        wantedBytes = 0;
        return former;
    }

    /**
     * Ends an attempt as reading beyond the received bytes does, but without a throw: {@code decode} must return the result at
     * once. For decoders that see in {@link #internalBuffer()} that the received bytes are not enough.
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
     * @param state what {@link #getState()} is at the time of the call
     * @return the frame, or null
     */
    protected abstract Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, T state)
            throws Exception;

    /**
     * Decodes what is left when the channel disconnects, or the peer has ended its output. Called once if anything was ever received, even when nothing is
     * left, with a buffer whose end is known: {@code buffer.readable()} is false at the end. By default it calls {@code
     * decode}, so a message that lasts until the connection ends can be completed there.
     *
     * @return the last frame or frames, or null; what stays unread is discarded
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

    /** A decoder that has just left the pipeline, or that sees the end, need not read anything. */
    private void checkDone(ChannelHandlerContext ctx) {
        if (!replayable.isComplete() && ctx.getPipeline().getContext(this) != null) {
            throw new IllegalStateException("decode() of " + getClass().getName()
                    + " returned null but neither read anything nor changed its state");
        }
    }

    @Override
    protected boolean decodesEmptyEnd() {
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

    /** No more bytes come. */
    private void complete() {
        replayable.setComplete(true);
        wantedBytes = 0;
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        super.beforeAdd(ctx);
        replayable.setComplete(false);
        replayable.forgetSearches();
        wantedBytes = 0;
    }

    /** As that of {@link FrameDecoder}, with the state. */
    @Override
    public void explain(ChannelHandlerContext ctx, Explanation out) {
        super.explain(ctx, out);
        out.put("state", state);
    }
}
