package org.freshet.channel;

import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;

/**
 * Determines which upstream events a class of handlers may act on. It passes all others on, so an event that no handler of a pipeline
 * acts on need not be created. Any thread may call any method.
 */
final class SeenEvents {
    /** The bits of all events. */
    static final int ALL = -1;

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
        int seen = 0;
        Class<?> next = type;
        while (seen != ALL && ChannelUpstreamHandler.class.isAssignableFrom(next)) {
            Class<?> declaring = SimpleMethods.declaring(next, "handleUpstream", ChannelEvent.class);
            if (SimpleMethods.isSimple(declaring)) {
                return seen | seenByMethods(type);
            }
            ActsOn mark = declaring == null ? null : declaring.getAnnotation(ActsOn.class);
            seen |= mark == null ? ALL : bits(mark.value());
            next = mark == null ? next : declaring.getSuperclass(); // whose method it may call
        }
        return seen;
    }

    private static int bits(EventKind[] kinds) {
        int bits = 0;
        for (EventKind kind : kinds) {
            bits |= kind.bit();
        }
        return bits;
    }

    private static int seenByMethods(Class<?> type) {
        int seen = ALL;
        for (EventKind kind : EventKind.values()) {
            seen &= passesOn(type, kind) ? ~kind.bit() : ALL;
        }
        return seen;
    }

    private static boolean passesOn(Class<?> type, EventKind kind) {
        return switch (kind) {
            case OPEN -> passesOn(type, "channelOpen");
            case BOUND -> passesOn(type, "channelBound");
            case CONNECTED -> passesOn(type, "channelConnected");
            case INTEREST_CHANGED -> passesOn(type, "channelInterestChanged");
            case DISCONNECTED -> passesOn(type, "channelDisconnected");
            case UNBOUND -> passesOn(type, "channelUnbound");
            case CLOSED -> passesOn(type, "channelClosed");
            case WRITTEN -> SimpleMethods.isInherited(type, "writeComplete", WriteCompletionEvent.class);
            case CHILD_OPEN -> SimpleMethods.isInherited(type, "childChannelOpen", ChildChannelStateEvent.class);
            case CHILD_CLOSED -> SimpleMethods.isInherited(type, "childChannelClosed", ChildChannelStateEvent.class);
        };
    }

    private static boolean passesOn(Class<?> type, String method) {
        return SimpleMethods.isInherited(type, method, ChannelStateEvent.class);
    }
}
