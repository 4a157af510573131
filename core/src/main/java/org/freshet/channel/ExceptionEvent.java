package org.freshet.channel;

public interface ExceptionEvent extends ChannelEvent {
    Throwable getCause();
}
