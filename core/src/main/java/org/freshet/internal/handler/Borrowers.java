package org.freshet.internal.handler;

import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.lending.Borrowable;

/**
 * Received messages for handlers that borrow only if their own class says so: a subclass of the application's, which does not inherit the
 * mark, gets messages that it may keep. Any thread.
 */
public final class Borrowers {
    private static final ClassValue<Boolean> MARKED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return type.isAnnotationPresent(ChannelHandler.Borrower.class);
        }
    };

    private Borrowers() {}

    /** Whether the class is marked {@link ChannelHandler.Borrower}. */
    public static boolean isMarked(Class<? extends ChannelHandler> type) {
        return MARKED.get(type);
    }

    /** The message of an event, borrowed if the handler's class is marked. */
    public static Object message(ChannelHandler handler, MessageEvent e) {
        return e instanceof Borrowable && isMarked(handler.getClass()) ? Channels.borrow(e) : e.getMessage();
    }
}
