package org.freshet.channel;

/**
 * The message of a request to end a connection's output: see {@link Channels#shutdownOutput(Channel)}.
 *
 * <p>To handlers the request is a write of this object. So a handler that keeps messages in order keeps this one in order too,
 * and one that does not know the type of a message passes it on, as always. A handler that holds bytes back until the end of its
 * stream, such as a compressor, writes them before it passes this on.
 */
public final class OutputShutdown {
    /** The only instance, so that handlers may compare by identity. */
    public static final OutputShutdown INSTANCE = new OutputShutdown();

    private OutputShutdown() {}

    @Override
    public String toString() {
        return "end of the output";
    }
}
