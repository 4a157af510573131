package org.freshet.internal;

/** Texts of users' objects, for messages: a method that throws must not replace the failure that is being reported. */
public final class SafeText {
    private SafeText() {}

    /** Returns the object's text; if its {@code toString} throws, the name of its class. */
    public static String of(Object object) {
        try {
            return String.valueOf(object);
        } catch (Throwable e) {
            return object.getClass().getName();
        }
    }

    /** Returns the exception's message; null if it has none, or computing it throws. */
    public static String messageOf(Throwable cause) {
        try {
            return cause.getMessage();
        } catch (Throwable e) {
            return null;
        }
    }
}
