package org.freshet.handler.codec.frame;

import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.handler.codec.frame.DecoderLife.Phase;
import org.freshet.internal.handler.PendingClose;
import org.freshet.internal.lending.Lending;

/**
 * Runs a {@link FrameDecoder}: calls {@code decode} with the received bytes as long as it returns frames, and sends
 * these upstream. Decodes, passes on or discards the rest when the connection ends or the decoder is removed.
 *
 * <p>Belongs to one decoder, and to the thread that delivers its upstream events.
 */
final class DecodingLoop {
    /**
     * Whether a class is Iterable. Cached because an {@code instanceof Iterable} test takes as long as decoding a small
     * frame.
     */
    private static final ClassValue<Boolean> ITERABLE = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return Iterable.class.isAssignableFrom(type);
        }
    };

    private final FrameDecoder decoder;
    private final Cumulator cumulator;
    private final DecoderLife life = new DecoderLife();

    /** The decoder's context; null before it is added and after it is removed. */
    private ChannelHandlerContext ctx;

    /** While the decoder is being removed, the context before it; null if the decoder is first. */
    private ChannelHandlerContext ctxBefore;

    /** Whether the decoder was removed during a read, before any close of the channel. */
    private boolean wasRemovedOpen;

    /** Number of bytes of this connection that were discarded. */
    private int droppedBytes;

    DecodingLoop(FrameDecoder decoder, Cumulator cumulator) {
        this.decoder = decoder;
        this.cumulator = cumulator;
    }

    /** Null before the decoder is added and after it is removed. */
    ChannelHandlerContext context() {
        return ctx;
    }

    int undecodedBytes() {
        ChannelBuffer unread = decoder.cumulation;
        return unread == null ? droppedBytes : unread.readableBytes() + cumulator.restBytes();
    }

    // ---- reads ----

    /** @param read has at least one readable byte; may be lent */
    void onRead(ChannelHandlerContext ctx, MessageEvent e, ChannelBuffer read) throws Exception {
        switch (life.phase()) {
            case IDLE, WAITING, FAILED -> decodeRead(ctx, e, read);
            // A handler caused another read while receiving a frame: decoding now would send its frames too early.
            case DECODING, CLOSING, AT_END, LEAVING -> cumulator.takeLater(Lending.owned(read));
            case ABANDONED -> droppedBytes += read.readableBytes();
            case REMOVED -> handOver(ctx, read);
        }
    }

    private void decodeRead(ChannelHandlerContext ctx, MessageEvent e, ChannelBuffer read) throws Exception {
        if (this.ctx == null) { // a handler that wraps this decoder doesn't add it
            this.ctx = ctx; // otherwise it may be the former one, while another thread moves the decoder
        }
        life.beginRead();
        boolean failed = true;
        try {
            for (ChannelBuffer next = read; next != null; next = cumulator.nextRead()) {
                cumulator.take(decoder, next);
                decodeCumulation(ctx, e.getChannel(), e.getRemoteAddress());
            }
            failed = false;
        } finally {
            endRead(ctx, failed);
        }
    }

    private void decodeCumulation(ChannelHandlerContext ctx, Channel channel, SocketAddress remoteAddress)
            throws Exception {
        while (decoder.cumulation != null && decoder.cumulation.readable() && life.decodes()) {
            ChannelBuffer buffer = decoder.cumulation;
            int start = buffer.readerIndex();
            Object frame = null;
            boolean progress;
            cumulator.expectNothing();
            try {
                frame = decoder.decode(ctx, channel, buffer);
                progress = decoder.madeProgress(buffer, start);
            } catch (Exception failure) {
                if (!decoder.madeProgress(buffer, start)) {
                    throw failure;
                }
                progress = true;
                Channels.fireExceptionCaught(channel, failure);
                if (!channel.isOpen()) {
                    life.abandon(); // closed before, or a subclass overrides exceptionCaught
                }
            }
            if (!progress) {
                checkNoFrame(frame);
                return;
            }
            if (frame != null) {
                decoder.unfoldAndFireMessageReceived(ctx, remoteAddress, frame);
            }
            decoder.cumulation = cumulator.dropDecodedReads(decoder.cumulation);
        }
    }

    private void checkNoFrame(Object frame) {
        if (frame != null) {
            throw new IllegalStateException(
                    "decode() of " + decoder.getClass().getName() + " returned a frame but read nothing");
        }
    }

    /** Prepares for the next read, whether this one failed or not. */
    private void endRead(ChannelHandlerContext ctx, boolean failed) {
        try {
            for (ChannelBuffer next = cumulator.nextRead(); next != null; next = cumulator.nextRead()) {
                cumulator.take(decoder, next);
            }
        } finally {
            cumulator.endRead();
            life.endRead(failed);
            switch (life.phase()) {
                case WAITING, FAILED -> keepUnread(ctx);
                case CLOSING -> endConnection(ctx, failed);
                case LEAVING, REMOVED -> leave(ctx);
                default -> dropBytes();
            }
        }
    }

    private void keepUnread(ChannelHandlerContext ctx) {
        if (decoder.cumulation != null) {
            decoder.cumulation = decoder.updateCumulation(ctx, decoder.cumulation);
        }
    }

    private void dropBytes() {
        droppedBytes = undecodedBytes();
        forgetBytes();
    }

    private void forgetBytes() {
        decoder.cumulation = null;
        cumulator.forgetReads();
        cumulator.reset();
        decoder.onBytesForgotten();
    }

    /** Sends the elements of a list or an array one by one, anything else as it is. */
    void fireUnfolded(ChannelHandlerContext context, SocketAddress remoteAddress, Object result) {
        if (result instanceof Object[] frames) {
            fireEach(context, remoteAddress, Arrays.asList(frames));
        } else if (ITERABLE.get(result.getClass())) {
            fireEach(context, remoteAddress, (Iterable<?>) result);
        } else {
            Channels.fireMessageReceived(context, result, remoteAddress);
        }
    }

    private void fireEach(ChannelHandlerContext context, SocketAddress remoteAddress, Iterable<?> frames) {
        for (Object frame : frames) {
            if (life.isAbandoned() || isRestUnwanted(context.getChannel())) {
                return;
            }
            Channels.fireMessageReceived(context, frame, remoteAddress);
        }
    }

    // ---- failures ----

    /** Passes on a failure. If that closes the channel, the rest of the current read is not decoded. */
    void onException(ChannelHandlerContext ctx, ExceptionEvent e) {
        boolean mayClose = !PendingClose.isClosing(e.getChannel());
        ctx.sendUpstream(e);
        if (mayClose && PendingClose.isClosing(e.getChannel())) {
            life.abandon();
        }
    }

    // ---- the end of the connection ----

    /** Decodes the unread bytes and discards the rest. Runs once: nothing is unread afterwards. */
    void onEnd(ChannelHandlerContext ctx) {
        life.connectionEnded();
        if (life.phase() == Phase.WAITING || life.phase() == Phase.FAILED) {
            endConnection(ctx, life.phase() == Phase.FAILED);
        }
    }

    private void endConnection(ChannelHandlerContext ctx, boolean failed) {
        Channel channel = ctx.getChannel();
        life.beginRest();
        try {
            if (!failed) {
                decodeToEnd(ctx, channel);
            }
        } catch (Exception failure) {
            Channels.fireExceptionCaught(channel, failure);
        } finally {
            endRest(ctx);
        }
    }

    private void endRest(ChannelHandlerContext ctx) {
        switch (life.phase()) {
            case LEAVING, REMOVED -> leave(ctx);
            default -> {
                dropBytes();
                life.endRest();
            }
        }
    }

    private void decodeToEnd(ChannelHandlerContext ctx, Channel channel) throws Exception {
        decodeCumulation(ctx, channel, null);
        for (ChannelBuffer next = cumulator.nextRead(); next != null; next = cumulator.nextRead()) {
            cumulator.take(decoder, next);
            decodeCumulation(ctx, channel, null);
        }
        ChannelBuffer rest = decoder.internalBuffer();
        if (life.phase() == Phase.AT_END && (rest.readable() || decoder.decodesLastWhenEmpty())) {
            Object last = decoder.decodeLast(ctx, channel, rest);
            if (last != null) {
                decoder.unfoldAndFireMessageReceived(ctx, null, last);
            }
        }
    }

    // ---- being added and removed ----

    void beforeAdd(ChannelHandlerContext ctx) {
        this.ctx = ctx;
        wasRemovedOpen = false;
        life.added();
        droppedBytes = 0;
    }

    void beforeRemove(ChannelHandlerContext ctx) {
        List<String> names = ctx.getPipeline().getNames();
        int position = names.indexOf(ctx.getName());
        ctxBefore = position > 0 ? ctx.getPipeline().getContext(names.get(position - 1)) : null;
    }

    /** Any thread may call this; the rest runs on the channel's I/O thread. */
    void afterRemove(ChannelHandlerContext ctx) {
        if (ctx.getPipeline().isAttached()) {
            ctx.getPipeline().execute(() -> onRemoved(ctx));
        } else {
            onRemoved(ctx);
        }
    }

    private void onRemoved(ChannelHandlerContext formerCtx) {
        if (ctx != null && ctx != formerCtx) {
            return; // has been added again in the meantime
        }
        if (life.removed()) {
            leave(formerCtx);
        } else {
            wasRemovedOpen = !PendingClose.isClosing(formerCtx.getChannel());
        }
    }

    /**
     * Returns whether the channel was closed after the decoder was removed, in the same read. A failure may have led to
     * that: a removed decoder sees none.
     */
    private boolean isRestUnwanted(Channel channel) {
        return wasRemovedOpen && PendingClose.isClosing(channel);
    }

    private void leave(ChannelHandlerContext formerCtx) {
        boolean isWanted = life.phase() == Phase.LEAVING && !isRestUnwanted(formerCtx.getChannel());
        ChannelBuffer unread = isWanted ? decoder.cumulation : null;
        life.left();
        ctx = null;
        wasRemovedOpen = false;
        forgetBytes();
        if (unread != null && unread.readable()) {
            handOver(formerCtx, unread);
        }
    }

    /** Sends bytes to the handler that took the decoder's place. */
    private void handOver(ChannelHandlerContext formerCtx, ChannelBuffer bytes) {
        Channel channel = formerCtx.getChannel();
        MessageEvent e = new UpstreamMessageEvent(channel, Lending.owned(bytes), channel.getRemoteAddress());
        if (ctxBefore == null) {
            formerCtx.getPipeline().sendUpstream(e);
        } else {
            ctxBefore.sendUpstream(e);
        }
    }
}
