package org.freshet.handler.codec.stomp;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.HeldSize;

/**
 * A STOMP frame: command, headers and content. If it {@linkplain #isChunked() is chunked}, its content follows as
 * {@link StompChunk}s; the last one is empty.
 *
 * <pre>{@code
 * StompFrame send = new StompFrame(StompCommand.SEND);
 * send.headers().set(StompHeaders.DESTINATION, "/topic/weather");
 * send.setContent(ChannelBuffers.copiedBuffer("rain", UTF_8));
 * }</pre>
 *
 * <p>Not thread-safe.
 */
@SuppressWarnings("exports") // HeldSize is only shared among Freshet's modules
public final class StompFrame implements HeldSize {
    private final StompCommand command;
    private final StompHeaders headers = new StompHeaders();
    private ChannelBuffer content = ChannelBuffers.EMPTY_BUFFER;
    private boolean chunked;

    /** Creates a frame without headers and content. */
    public StompFrame(StompCommand command) {
        this.command = Objects.requireNonNull(command, "command");
    }

    public StompCommand command() {
        return command;
    }

    public StompHeaders headers() {
        return headers;
    }

    /** Returns the content; never null, but empty if the frame is chunked. */
    public ChannelBuffer content() {
        return content;
    }

    /** @throws IllegalStateException if the frame is chunked */
    public StompFrame setContent(ChannelBuffer content) {
        Objects.requireNonNull(content, "content");
        if (chunked && content.readable()) {
            throw new IllegalStateException("a chunked frame cannot have content; write StompChunks after it");
        }
        this.content = content;
        return this;
    }

    /** Returns whether the content follows in {@link StompChunk}s. */
    public boolean isChunked() {
        return chunked;
    }

    /** @throws IllegalStateException if {@code chunked} is true and the frame has content */
    public StompFrame setChunked(boolean chunked) {
        if (chunked && content.readable()) {
            throw new IllegalStateException("a frame with content cannot be chunked: " + content);
        }
        this.chunked = chunked;
        return this;
    }

    /** Not for users: the size of the frame in the write account, with its headers, which may be larger than the content. */
    @Override
    public int heldBytes() {
        return (int) Math.min(headers.length() + content.readableBytes(), Integer.MAX_VALUE);
    }

    @Override
    public String toString() {
        return command + " " + headers + (chunked ? ", chunked" : ", " + content.readableBytes() + " bytes");
    }
}
