package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.internal.InflateException;
import org.freshet.handler.codec.internal.InflatingStream;

/**
 * Decodes the content of one message piece by piece. Our own inflater never holds more than a piece in memory; a user's
 * embedder returns pieces of any size. Both are held to the byte limit.
 *
 * <p>Belongs to one message, and to the thread that receives it.
 */
final class ContentInflater {
    private final DecoderEmbedder<ChannelBuffer> embedder;

    /** Null if the embedder is not ours. */
    private final InflatingStream stream;

    private final long maxBytes;
    private final ChannelBufferFactory factory = HeapChannelBufferFactory.getInstance();

    private long bytes;
    private boolean finished;

    ContentInflater(DecoderEmbedder<ChannelBuffer> embedder, HttpLimits limits) {
        this.embedder = embedder;
        this.stream = embedder instanceof InflatingEmbedder ? ((InflatingEmbedder) embedder).stream() : null;
        this.maxBytes = limits.maxInflatedBytes();
    }

    void feed(ChannelBuffer encoded) throws MalformedHttpMessageException {
        if (stream != null) {
            stream.feed(encoded);
            return;
        }
        try {
            embedder.offer(encoded);
        } catch (CodecEmbedderException e) {
            throw malformed(e.getCause() == null ? e : e.getCause());
        }
    }

    /** The next piece of decoded content, or null if more input is needed. */
    ChannelBuffer next() throws MalformedHttpMessageException, TooLongHttpMessageException {
        if (stream != null) {
            try {
                ChannelBuffer piece = stream.next(factory);
                if (piece == null) {
                    refuseRest();
                }
                return piece;
            } catch (InflateException e) {
                if (e.reason() == InflateException.Reason.TOO_LARGE) {
                    throw tooLong(e.getMessage());
                }
                throw malformed(e);
            }
        }
        ChannelBuffer piece = embedder.poll();
        bytes += piece == null ? 0 : piece.readableBytes();
        if (bytes > maxBytes) {
            throw tooLong("decoded bytes > " + maxBytes);
        }
        return piece;
    }

    /**
     * Call this when all input was fed and its output taken, and {@link #next} once more afterwards: a user's embedder may
     * have more output, and bytes after the end of the stream are refused there.
     */
    void complete() throws MalformedHttpMessageException {
        finished = true;
        try {
            if (stream == null) {
                embedder.finish();
            } else {
                stream.complete();
            }
        } catch (InflateException e) {
            throw malformed(e);
        } catch (CodecEmbedderException e) {
            throw malformed(e.getCause() == null ? e : e.getCause());
        }
    }

    /** No limit on the output covers bytes after the end of the stream, so they are refused. */
    private void refuseRest() throws MalformedHttpMessageException {
        if (stream.takeRest().readable()) {
            throw new MalformedHttpMessageException("the content has bytes after the end of its compressed stream");
        }
    }

    /** Releases what is held, whether or not the content was decoded completely. */
    void abandon() {
        if (stream != null) {
            stream.abandon();
        }
        if (!finished) {
            finished = true;
            try {
                embedder.finish();
            } catch (CodecEmbedderException e) {
                // The content is no longer wanted, so it doesn't matter what was wrong with it.
                finished = true;
            }
        }
    }

    private static MalformedHttpMessageException malformed(Throwable cause) {
        MalformedHttpMessageException failure =
                new MalformedHttpMessageException("the content cannot be decoded: " + cause.getMessage());
        failure.initCause(cause);
        return failure;
    }

    private static TooLongHttpMessageException tooLong(String what) {
        return new TooLongHttpMessageException(
                "the decoded content is too large: " + what, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
    }
}
