package org.freshet.internal.handler;

import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.lending.Borrowable;

/**
 * Gets received messages for handlers that borrow only if their own class has the mark: an application's subclass, which does not inherit
 * the mark, gets messages it may keep. Any thread may call any method.
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

    /** Returns the message of an event, borrowed if the handler's class is marked. */
    public static Object message(ChannelHandler handler, MessageEvent e) {
        return e instanceof Borrowable && isMarked(handler.getClass()) ? Channels.borrow(e) : e.getMessage();
    }
}
