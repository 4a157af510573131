package org.freshet.channel;

import java.nio.channels.ClosedChannelException;

/** Fails a write that was made after the channel's output was shut down with {@link Channels#shutdownOutput(Channel)}. */
public class OutputShutdownException extends ClosedChannelException {
    private static final long serialVersionUID = 1L;

    public OutputShutdownException() {}

    @Override
    public String getMessage() {
        return "nothing can be written after shutdownOutput()";
    }
}
