package org.freshet.handler.codec.embedder;

/**
 * Thrown by an embedder when a handler threw. {@link #getCause()} is the handler's exception, never a wrapper. Further
 * failures during the same call are {@linkplain #getSuppressed() suppressed} exceptions.
 */
public class CodecEmbedderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CodecEmbedderException() {}

    public CodecEmbedderException(String message) {
        super(message);
    }

    public CodecEmbedderException(String message, Throwable cause) {
        super(message, cause);
    }

    public CodecEmbedderException(Throwable cause) {
        super(cause);
    }
}
