package org.freshet.channel;

/** Finds out which methods a handler class inherits from a Simple handler. Reflective, so callers keep the result per class. */
final class SimpleMethods {
    private SimpleMethods() {}

    /**
     * Returns whether a class inherits a method of {@link SimpleChannelUpstreamHandler} or {@link SimpleChannelHandler} unchanged; false
     * also if that can't be found out.
     *
     * @param event the type of the method's second parameter
     */
    static boolean isInherited(Class<?> type, String method, Class<?> event) {
        return isSimple(declaring(type, method, event));
    }

    /** Returns whether a class is one of the two; null is not. */
    static boolean isSimple(Class<?> declaring) {
        return declaring == SimpleChannelUpstreamHandler.class || declaring == SimpleChannelHandler.class;
    }

    /** Returns the class whose method objects of a class have, in itself or above it; null if that can't be found out. */
    static Class<?> declaring(Class<?> type, String method, Class<?> event) {
        try {
            return type.getMethod(method, ChannelHandlerContext.class, event).getDeclaringClass();
        } catch (NoSuchMethodException | LinkageError e) { // absent type in a method, or no metadata in an image
            return null;
        }
    }
}
