package org.freshet.internal.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.DefaultChannelPipeline;

/**
 * Whose code holds a loop, as its stack says: the handler, listener or task that was called last.
 *
 * @param kind what {@link #type} is
 * @param name the handler's in its pipeline; null if it is no handler, or not in the pipeline any more
 * @param type the class's name; null if there is no code of a user's on the stack
 * @param frame the newest of that class; else the newest that is not the JDK's; null for an empty stack
 * @param stack newest first
 */
public record Culprit(Kind kind, String name, String type, StackTraceElement frame, StackTraceElement[] stack) {
    /** What was called. */
    public enum Kind {
        HANDLER,
        LISTENER,
        TASK,
        UNKNOWN
    }

    private static final String PIPELINE = DefaultChannelPipeline.class.getName();
    private static final String LISTENERS = Channel.class.getPackageName() + ".ListenerCalls";
    private static final String LOOP = Channel.class.getPackageName() + ".socket.nio.NioLoop";

    /** {@code com.example.OrderHandler.messageReceived(OrderHandler.java:42)}. */
    public String where() {
        return frame == null
                ? "unknown"
                : frame.getClassName()
                        + '.'
                        + frame.getMethodName()
                        + '('
                        + frame.getFileName()
                        + ':'
                        + frame.getLineNumber()
                        + ')';
    }

    /**
     * @param stack of the loop's thread, newest first
     * @param channel that the loop serves; null if it runs a task
     */
    static Culprit of(StackTraceElement[] stack, Channel channel) {
        for (int i = 0; i < stack.length; i++) {
            Kind kind = kindOf(stack[i]);
            if (kind == Kind.HANDLER) {
                return ofHandler(stack, i, channel);
            } else if (kind != null && i > 0) {
                return ofCall(kind, stack, i);
            }
        }
        return new Culprit(Kind.UNKNOWN, null, null, newestOfUser(stack), stack);
    }

    /** What a frame that calls a user's code calls; null if it is none. */
    private static Kind kindOf(StackTraceElement frame) {
        String method = frame.getMethodName();
        if (isDelivery(frame)) {
            return Kind.HANDLER;
        } else if (frame.getClassName().equals(LISTENERS)) {
            return method.equals("call") || method.equals("callProgress") ? Kind.LISTENER : null;
        }
        return frame.getClassName().equals(LOOP) && method.equals("runTasks") ? Kind.TASK : null;
    }

    private static boolean isDelivery(StackTraceElement frame) {
        return frame.getClassName().equals(PIPELINE)
                && (frame.getMethodName().equals("deliverUpstream")
                        || frame.getMethodName().equals("deliverDownstream"));
    }

    // ---- handlers ---------------------------------------------------------------------------------------------------

    private static Culprit ofHandler(StackTraceElement[] stack, int delivery, Channel channel) {
        List<Map.Entry<String, ChannelHandler>> owners = channel == null ? List.of() : owners(channel, stack, delivery);
        if (owners.isEmpty()) {
            return ofCall(Kind.HANDLER, stack, delivery);
        }
        Class<?> type = owners.get(0).getValue().getClass();
        return new Culprit(
                Kind.HANDLER, nameOf(owners, stack, delivery), type.getName(), newestOf(stack, delivery, type), stack);
    }

    /** The handlers that most of the frames of the innermost call belong to: several if the stack does not tell them apart. */
    private static List<Map.Entry<String, ChannelHandler>> owners(
            Channel channel, StackTraceElement[] stack, int delivery) {
        List<Map.Entry<String, ChannelHandler>> owners = new ArrayList<>();
        int most = 1;
        for (Map.Entry<String, ChannelHandler> entry :
                channel.getPipeline().toMap().entrySet()) {
            int share = share(stack, delivery, entry.getValue().getClass());
            if (share > most) {
                most = share;
                owners.clear();
            }
            if (share == most) {
                owners.add(entry);
            }
        }
        return owners;
    }

    /** A handler of a class and one of its superclass may own as many frames: the one whose very class occurs goes first. */
    private static int share(StackTraceElement[] stack, int delivery, Class<?> type) {
        int share = 0;
        for (int i = 0; i < delivery; i++) {
            share += owns(type, stack[i].getClassName()) ? 2 : 0;
        }
        return contains(stack, 0, delivery, type) ? share + 1 : share;
    }

    private static boolean contains(StackTraceElement[] stack, int begin, int end, Class<?> type) {
        for (int i = begin; i < end; i++) {
            if (stack[i].getClassName().equals(type.getName())) {
                return true;
            }
        }
        return false;
    }

    /** Whether code of a class runs on behalf of a handler: inherited, or that of the class around a lambda or a nested class. */
    private static boolean owns(Class<?> type, String className) {
        for (Class<?> t = type; t != null && t != Object.class; t = t.getSuperclass()) {
            if (t.getName().equals(className)) {
                return true;
            }
        }
        Class<?> host = type.isHidden() ? null : type.getEnclosingClass();
        return host != null ? host.getName().equals(className) : type.getName().startsWith(className + "$$");
    }

    /** Of several handlers of a class, that of the innermost call, by how many calls of that class there are. */
    private static String nameOf(
            List<Map.Entry<String, ChannelHandler>> owners, StackTraceElement[] stack, int delivery) {
        Class<?> type = owners.get(0).getValue().getClass();
        boolean isOneClass = owners.stream().allMatch(entry -> entry.getValue().getClass() == type);
        int index = 0;
        if (owners.size() > 1) {
            boolean isUpstream = stack[delivery].getMethodName().equals("deliverUpstream");
            int calls = calls(stack, type);
            index = isUpstream ? calls - 1 : owners.size() - calls;
        }
        return isOneClass && index >= 0 && index < owners.size()
                ? owners.get(index).getKey()
                : String.join("' or '", owners.stream().map(Map.Entry::getKey).toList());
    }

    /** How many calls by the pipeline have a frame of a class. */
    private static int calls(StackTraceElement[] stack, Class<?> type) {
        int calls = 0;
        int begin = 0;
        for (int i = 0; i < stack.length; i++) {
            if (isDelivery(stack[i])) {
                calls += contains(stack, begin, i, type) ? 1 : 0;
                begin = i + 1;
            }
        }
        return calls;
    }

    /** The newest frame of the class itself, else of a superclass, else of the class around it. */
    private static StackTraceElement newestOf(StackTraceElement[] stack, int end, Class<?> type) {
        for (Class<?> t = type; t != null; t = t.getSuperclass()) {
            for (int i = 0; i < end; i++) {
                if (t.getName().equals(stack[i].getClassName())) {
                    return stack[i];
                }
            }
        }
        for (int i = 0; i < end; i++) {
            if (owns(type, stack[i].getClassName())) {
                return stack[i];
            }
        }
        return stack[0];
    }

    // ---- all else ---------------------------------------------------------------------------------------------------

    /** What the frame at {@code caller} calls, past our own wrappers. */
    private static Culprit ofCall(Kind kind, StackTraceElement[] stack, int caller) {
        int entry = caller - 1;
        while (entry > 0 && isWrapper(stack[entry].getClassName())) {
            entry--;
        }
        if (isJdk(stack[entry])) { // all of it is ours: name the task itself
            entry = caller - 1;
        }
        String type = stack[entry].getClassName();
        for (int i = 0; i <= entry; i++) {
            if (stack[i].getClassName().equals(type)) {
                return new Culprit(kind, null, type, stack[i], stack);
            }
        }
        throw new AssertionError(type);
    }

    private static boolean isWrapper(String className) {
        return className.startsWith("org.freshet.channel.")
                || className.startsWith("org.freshet.internal.")
                || className.startsWith("org.freshet.util.");
    }

    private static StackTraceElement newestOfUser(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (!isJdk(frame)) {
                return frame;
            }
        }
        return stack.length == 0 ? null : stack[0];
    }

    private static boolean isJdk(StackTraceElement frame) {
        String module = frame.getModuleName();
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }
}
