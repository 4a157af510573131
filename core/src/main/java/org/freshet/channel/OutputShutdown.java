package org.freshet.channel;

/**
 * The message that requests the end of a connection's output; see {@link Channels#shutdownOutput(Channel)}.
 *
 * <p>To handlers, the request is a write of this object. So a handler that keeps messages in order also keeps this one in order, and a
 * handler that doesn't know a message's type passes it on as usual. A handler that holds bytes back until the end of its stream, such as a
 * compressor, writes them before it passes this on.
 */
public final class OutputShutdown {
    /** The only instance, so handlers may compare by identity. */
    public static final OutputShutdown INSTANCE = new OutputShutdown();

    private OutputShutdown() {}

    @Override
    public String toString() {
        return "end of the output";
    }
}
