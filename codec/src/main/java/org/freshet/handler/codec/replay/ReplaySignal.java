package org.freshet.handler.codec.replay;

/**
 * Thrown to leave a decoder that has reached the end of the received bytes. All decoders share one instance without a
 * stack trace. It is an {@link Error}, so that a decoder that catches exceptions does not stop it.
 */
final class ReplaySignal extends Error {
    static final ReplaySignal INSTANCE = new ReplaySignal();

    private static final long serialVersionUID = 1L;

    private ReplaySignal() {
        super("more bytes are needed; a decoder must not catch this", null, false, false);
    }
}
