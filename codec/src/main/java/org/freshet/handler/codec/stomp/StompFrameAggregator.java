package org.freshet.handler.codec.stomp;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.frame.TooLongFrameException;

/**
 * Combines a chunked {@link StompFrame} and its {@link StompChunk}s into one frame that is not chunked. Other messages
 * pass through.
 *
 * <p>If content is too long, a {@link TooLongFrameException} is fired once per frame, as soon as it is known. The rest
 * of the frame is discarded; the next one is combined again.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events. An instance belongs to one pipeline.
 */
public class StompFrameAggregator extends SimpleChannelUpstreamHandler {
    /** Determines what happens to the next chunk. */
    private enum State {
        BETWEEN_FRAMES,
        COLLECTING,
        /** It belongs to a frame that was too long. */
        DISCARDING
    }

    private final int maxContentLength;

    private State state = State.BETWEEN_FRAMES;

    /** The frame being combined; null unless collecting. */
    private StompFrame frame;

    /** Its content so far; null before the first chunk. */
    private ChannelBuffer collected;

    /** @param maxContentLength bytes of a frame's content, 1 or more */
    public StompFrameAggregator(int maxContentLength) {
        if (maxContentLength <= 0) {
            throw new IllegalArgumentException("maxContentLength <= 0: " + maxContentLength);
        }
        this.maxContentLength = maxContentLength;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Object received = e.getMessage();
        if (received instanceof StompFrame started) {
            startFrame(ctx, e, started);
        } else if (received instanceof StompChunk chunk) {
            takeChunk(ctx, e, chunk);
        } else {
            ctx.sendUpstream(e);
        }
    }

    private void startFrame(ChannelHandlerContext ctx, MessageEvent e, StompFrame started) throws Exception {
        forget();
        if (!started.isChunked()) {
            checkLength(started.command(), started.content().readableBytes());
            ctx.sendUpstream(e);
            return;
        }
        state = State.DISCARDING;
        String announced = started.headers().get(StompHeaders.CONTENT_LENGTH);
        if (announced != null) {
            checkLength(started.command(), ContentLength.parse(announced));
        }
        state = State.COLLECTING;
        frame = started;
    }

    private void takeChunk(ChannelHandlerContext ctx, MessageEvent e, StompChunk chunk) throws Exception {
        switch (state) {
            case BETWEEN_FRAMES -> throw new IllegalStateException("chunk outside of a frame: " + chunk);
            case DISCARDING -> state = chunk.isLast() ? State.BETWEEN_FRAMES : State.DISCARDING;
            case COLLECTING -> {
                if (chunk.isLast()) {
                    Channels.fireMessageReceived(ctx, takeFrame(), e.getRemoteAddress());
                } else {
                    collect(chunk.content());
                }
            }
        }
    }

    private void collect(ChannelBuffer content) throws TooLongFrameException {
        int length = content.readableBytes();
        int before = collected == null ? 0 : collected.readableBytes();
        StompCommand command = frame.command();
        if (length > maxContentLength - before) {
            forget();
            state = State.DISCARDING;
        }
        checkLength(command, (long) before + length);
        if (collected == null) {
            collected = ChannelBuffers.dynamicBuffer((int) Math.min(2L * length, maxContentLength));
        }
        collected.writeBytes(content, content.readerIndex(), length);
    }

    private void checkLength(StompCommand command, long length) throws TooLongFrameException {
        if (length > maxContentLength) {
            throw new TooLongFrameException(
                    "the content of a " + command + " frame is longer than " + maxContentLength + " bytes");
        }
    }

    private StompFrame takeFrame() {
        StompFrame whole = frame.setChunked(false);
        if (collected != null) {
            whole.setContent(collected);
        }
        forget();
        return whole;
    }

    private void forget() {
        state = State.BETWEEN_FRAMES;
        frame = null;
        collected = null;
    }

    /** Drops the part of an incomplete frame that was collected. */
    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        forget();
        ctx.sendUpstream(e);
    }
}
