package org.freshet.handler.codec.embedder;

/** A handler inside an embedder threw. {@link #getCause()} is what it threw, never a wrapper; further failures of the same
 * call are {@linkplain #getSuppressed() suppressed} exceptions. */
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
