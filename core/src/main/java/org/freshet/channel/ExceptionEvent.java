package org.freshet.channel;

/** A handler, the sink or the transport failed. Travels up; who can deal with the cause ends its journey. */
public interface ExceptionEvent extends ChannelEvent {
    /** What was thrown. Never null. */
    Throwable getCause();
}
