package org.freshet.handler.codec.compression;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.oneone.OneToOneStrictEncoder;

/**
 * The common part of both zlib encoders.
 *
 * <p>Threading: any thread may write. The stream and its fields are only touched in the encoder's own order, see
 * {@link OneToOneStrictEncoder}.
 */
abstract class DeflatingEncoder extends OneToOneStrictEncoder implements LifeCycleAwareChannelHandler {
    static final int DEFAULT_LEVEL = 6;
    private static final int MAX_LEVEL = 9;

    private enum State {
        OPEN,
        CLOSED
    }

    private final ZlibWrapper wrapper;
    private final int level;
    private final int windowBits;
    private final byte[] dictionary;

    private volatile ChannelHandlerContext ctx;
    private volatile State state = State.OPEN;

    /** Null before the first message of a connection and after the last one. */
    private DeflatingStream stream;

    DeflatingEncoder(ZlibWrapper wrapper, int level, int windowBits, byte[] dictionary) {
        Objects.requireNonNull(wrapper, "wrapper");
        if (wrapper == ZlibWrapper.ZLIB_OR_NONE) {
            throw new IllegalArgumentException("an encoder needs a definite wrapper: " + wrapper);
        }
        if (level < 0 || level > MAX_LEVEL) {
            throw new IllegalArgumentException("compressionLevel not in 0..9: " + level);
        }
        this.wrapper = wrapper;
        this.level = level;
        this.windowBits = windowBits;
        this.dictionary = dictionary;
    }

    static byte[] copyOf(byte[] dictionary) {
        return Objects.requireNonNull(dictionary, "dictionary").clone();
    }

    /** Returns whether the end of the stream was written. Anything written after it passes through unchanged. */
    public boolean isClosed() {
        return state == State.CLOSED;
    }

    /**
     * Writes the end of the stream; the channel stays open. Does nothing if the end was already written.
     *
     * @return the future of that write
     * @throws IllegalStateException if the encoder is not in a pipeline
     */
    public ChannelFuture close() {
        ChannelHandlerContext current = ctx;
        if (current == null) {
            throw new IllegalStateException("the encoder is not in a pipeline");
        }
        ChannelFuture future = Channels.future(current.getChannel());
        inOrder(current.getChannel(), future, () -> finish(current, future));
        return future;
    }

    private void finish(ChannelHandlerContext ctx, ChannelFuture future) {
        if (state == State.CLOSED) {
            future.setSuccess();
            return;
        }
        ChannelBuffer end = openStream().finish(ctx.getChannel().getConfig().getBufferFactory());
        endStream();
        state = State.CLOSED;
        // never refused, however much is pending: the stream is damaged without its end
        WriteAccount.passOn(ctx, new DownstreamMessageEvent(ctx.getChannel(), future, end, null), 0);
    }

    private DeflatingStream openStream() {
        if (stream == null) {
            stream = new DeflatingStream(wrapper, level, windowBits, dictionary);
        }
        return stream;
    }

    private void endStream() {
        if (stream != null) {
            stream.end();
            stream = null;
        }
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (!(msg instanceof ChannelBuffer message) || isClosed() || !message.readable()) {
            return msg;
        }
        return openStream().encode(message, channel.getConfig().getBufferFactory());
    }

    /**
     * If the channel is connected, writes the end of the stream before passing on a request to close, unbind,
     * disconnect or shut down output. A request to close doesn't wait for what another thread is writing on a blocking
     * transport: that thread may be waiting for the close.
     */
    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        boolean overtakes = evt instanceof ChannelStateEvent && isBlocked(ctx.getChannel());
        if (isEnd(evt) && ctx.getChannel().isConnected() && !overtakes) {
            inOrder(ctx.getChannel(), evt.getFuture(), () -> finishAndPassOn(ctx, evt));
        } else {
            super.handleDownstream(ctx, evt);
        }
    }

    /** Anything written before the request goes into the stream; anything written later finds it ended. */
    private void finishAndPassOn(ChannelHandlerContext ctx, ChannelEvent request) {
        try {
            finish(ctx, Channels.future(ctx.getChannel()));
        } finally {
            ctx.sendDownstream(request);
        }
    }

    private static boolean isEnd(ChannelEvent evt) {
        return evt instanceof ChannelStateEvent request && isEnd(request)
                || evt instanceof MessageEvent message && message.getMessage() == OutputShutdown.INSTANCE;
    }

    private static boolean isEnd(ChannelStateEvent request) {
        return request.getState() != ChannelState.INTEREST_OPS
                && (request.getValue() == null || Boolean.FALSE.equals(request.getValue()));
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        inOrder(ctx.getChannel(), null, this::endStream);
        state = State.OPEN;
        this.ctx = ctx;
    }

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        // Nothing to do.
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        // Nothing to do: to have the end of the stream written, call close() first.
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        this.ctx = null;
        inOrder(ctx.getChannel(), null, this::endStream);
    }
}
