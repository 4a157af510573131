package org.freshet.channel;

/** Thrown when a pipeline could not be changed as requested, or an event could not pass it. */
public class ChannelPipelineException extends ChannelException {
    private static final long serialVersionUID = 1L;

    public ChannelPipelineException() {}

    public ChannelPipelineException(String message, Throwable cause) {
        super(message, cause);
    }

    public ChannelPipelineException(String message) {
        super(message);
    }

    public ChannelPipelineException(Throwable cause) {
        super(cause);
    }
}
