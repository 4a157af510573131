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
        try {
            Class<?> declaring =
                    type.getMethod(method, ChannelHandlerContext.class, event).getDeclaringClass();
            return declaring == SimpleChannelUpstreamHandler.class || declaring == SimpleChannelHandler.class;
        } catch (NoSuchMethodException | LinkageError e) { // absent type in a method, or no metadata in an image
            return false;
        }
    }
}
