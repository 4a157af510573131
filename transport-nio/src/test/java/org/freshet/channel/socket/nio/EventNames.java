package org.freshet.channel.socket.nio;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteCompletionEvent;

/** One word for each kind of event, in both directions. */
final class EventNames {
    private EventNames() {}

    static String of(ChannelEvent e) {
        if (e instanceof MessageEvent) {
            return "message";
        }
        if (e instanceof ExceptionEvent) {
            return "exception";
        }
        if (e instanceof WriteCompletionEvent) {
            return "writeComplete";
        }
        if (e instanceof ChildChannelStateEvent child) {
            return child.getChildChannel().isOpen() ? "childOpen" : "childClosed";
        }
        ChannelStateEvent state = (ChannelStateEvent) e;
        return switch (state.getState()) {
            case OPEN -> Boolean.TRUE.equals(state.getValue()) ? "open" : "closed";
            case BOUND -> state.getValue() != null ? "bound" : "unbound";
            case CONNECTED -> state.getValue() != null ? "connected" : "disconnected";
            case INTEREST_OPS -> "interest";
        };
    }
}
