package org.freshet.channel;

/** The transport has sent bytes. Reports progress: one event may cover a part of a message, or several messages. */
public interface WriteCompletionEvent extends ChannelEvent {
    /** Bytes sent since the last such event; positive. */
    long getWrittenAmount();
}
