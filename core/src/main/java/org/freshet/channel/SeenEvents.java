package org.freshet.channel;

import org.freshet.internal.PassesChildEventsOn;

/**
 * Determines which upstream events a class of handlers may act on. It passes all others on, so an event that no handler of a pipeline
 * acts on need not be created. Any thread may call any method.
 */
final class SeenEvents {
    /** The events that are left out if no handler acts on them. */
    enum Kind {
        OPEN("channelOpen", ChannelStateEvent.class),
        BOUND("channelBound", ChannelStateEvent.class),
        CONNECTED("channelConnected", ChannelStateEvent.class),
        INTEREST_CHANGED("channelInterestChanged", ChannelStateEvent.class),
        DISCONNECTED("channelDisconnected", ChannelStateEvent.class),
        UNBOUND("channelUnbound", ChannelStateEvent.class),
        CLOSED("channelClosed", ChannelStateEvent.class),
        WRITTEN("writeComplete", WriteCompletionEvent.class),
        CHILD_OPEN("childChannelOpen", ChildChannelStateEvent.class),
        CHILD_CLOSED("childChannelClosed", ChildChannelStateEvent.class);

        private final String method;
        private final Class<?> event;

        Kind(String method, Class<?> event) {
            this.method = method;
            this.event = event;
        }

        int bit() {
            return 1 << ordinal();
        }
    }

    /** The bits of all events. */
    static final int ALL = -1;

    private static final int OF_CHILDREN = Kind.CHILD_OPEN.bit() | Kind.CHILD_CLOSED.bit();

    private static final ClassValue<Integer> OF_CLASS = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
            return seenBy(type);
        }
    };

    private SeenEvents() {}

    /** Returns the bits of the events that the handler may act on. */
    static int by(ChannelUpstreamHandler handler) {
        return OF_CLASS.get(handler.getClass());
    }

    private static int seenBy(Class<?> type) {
        int seen = ALL;
        if (SimpleMethods.isInherited(type, "handleUpstream", ChannelEvent.class)) {
            for (Kind kind : Kind.values()) {
                seen &= SimpleMethods.isInherited(type, kind.method, kind.event) ? ~kind.bit() : ALL;
            }
        }
        return type.isAnnotationPresent(PassesChildEventsOn.class) ? seen & ~OF_CHILDREN : seen;
    }
}
