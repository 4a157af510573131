package org.freshet.channel;

/** A handler, the sink or the transport failed. Travels upstream until a handler handles it and does not pass it on. */
public interface ExceptionEvent extends ChannelEvent {
    /** The exception that was thrown. Never null. */
    Throwable getCause();
}
