package org.freshet.handler.codec.stomp;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.HeldSize;

/**
 * A frame: command, headers and content. If it {@linkplain #isChunked() is chunked}, its content follows as {@link StompChunk}s,
 * of which the last is empty.
 *
 * <pre>{@code
 * StompFrame send = new StompFrame(StompCommand.SEND);
 * send.headers().set(StompHeaders.DESTINATION, "/topic/weather");
 * send.setContent(ChannelBuffers.copiedBuffer("rain", UTF_8));
 * }</pre>
 *
 * <p>Not thread-safe.
 */
@SuppressWarnings("exports") // HeldSize is between Freshet's modules
public final class StompFrame implements HeldSize {
    private final StompCommand command;
    private final StompHeaders headers = new StompHeaders();
    private ChannelBuffer content = ChannelBuffers.EMPTY_BUFFER;
    private boolean chunked;

    /** A frame without headers and content. */
    public StompFrame(StompCommand command) {
        this.command = Objects.requireNonNull(command, "command");
    }

    public StompCommand command() {
        return command;
    }

    public StompHeaders headers() {
        return headers;
    }

    /** Never null; empty if the frame is chunked. */
    public ChannelBuffer content() {
        return content;
    }

    /** @throws IllegalStateException if the frame is chunked */
    public StompFrame setContent(ChannelBuffer content) {
        Objects.requireNonNull(content, "content");
        if (chunked && content.readable()) {
            throw new IllegalStateException("a chunked frame has no content of its own; write StompChunks after it");
        }
        this.content = content;
        return this;
    }

    /** Whether the content follows in {@link StompChunk}s. */
    public boolean isChunked() {
        return chunked;
    }

    /** @throws IllegalStateException if a frame that has content is made chunked */
    public StompFrame setChunked(boolean chunked) {
        if (chunked && content.readable()) {
            throw new IllegalStateException("a frame that has content cannot be chunked: " + content);
        }
        this.chunked = chunked;
        return this;
    }

    /** Not for users: what the frame counts while it waits to be sent. */
    @Override
    public int heldBytes() {
        return content.readableBytes();
    }

    @Override
    public String toString() {
        return command + " " + headers + (chunked ? ", chunked" : ", " + content.readableBytes() + " bytes");
    }
}
