package org.freshet.channel;

public interface WriteCompletionEvent extends ChannelEvent {
    long getWrittenAmount();
}
