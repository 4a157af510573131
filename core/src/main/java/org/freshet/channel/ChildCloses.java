package org.freshet.channel;

/**
 * Determines which handlers of a server channel see the close of a child. A child closes on its own I/O thread, and the event belongs on
 * the server's: if no handler sees it, the server's thread need not be woken for each connection that ends. Any thread may call it.
 */
final class ChildCloses {
    private static final ClassValue<Boolean> IS_IGNORED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return SimpleMethods.isInherited(type, "handleUpstream", ChannelEvent.class)
                    && SimpleMethods.isInherited(type, "childChannelClosed", ChildChannelStateEvent.class);
        }
    };

    private ChildCloses() {}

    /** Whether the handler only passes the event on. */
    static boolean areIgnoredBy(ChannelUpstreamHandler handler) {
        return IS_IGNORED.get(handler.getClass());
    }
}
