package org.freshet.internal;

/** Throws exceptions of users' code as they are, checked ones too: other languages need not declare them. Any thread may call it. */
public final class AnyException {
    private AnyException() {}

    /** Throws the cause. The result lets a caller write {@code throw rethrow(cause)}, so that the compiler knows. */
    public static RuntimeException rethrow(Throwable cause) {
        return AnyException.<RuntimeException>throwIt(cause);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T throwIt(Throwable cause) throws T {
        throw (T) cause;
    }
}
