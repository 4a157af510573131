package org.freshet.internal.telemetry;

/** Finds the code of a user, or of one of Freshet's handlers, in a loop's stack. Stateless. */
final class UserCode {
    private static final String FRESHET = "org.freshet.";
    private static final String[] MACHINERY = {
        FRESHET + "bootstrap.",
        FRESHET + "buffer.",
        FRESHET + "channel.",
        FRESHET + "internal.",
        FRESHET + "telemetry.",
        FRESHET + "util."
    };

    private UserCode() {}

    /**
     * Returns the newest frame of the class that Freshet called last: a handler, a listener or a task, but not a library that one of these
     * calls.
     *
     * @param stack newest frame first
     * @return null if the stack has no such frame
     */
    static StackTraceElement calledLast(StackTraceElement[] stack) {
        StackTraceElement entry = null;
        for (StackTraceElement frame : stack) {
            if (isOf(frame, MACHINERY) && entry != null) {
                break;
            }
            boolean isCandidate = !isOf(frame, MACHINERY) && !isJdk(frame);
            if (isCandidate && (entry == null || !isOf(frame, FRESHET) || isOf(entry, FRESHET))) {
                entry = frame;
            }
        }
        return entry == null ? null : newestOf(stack, entry.getClassName());
    }

    private static StackTraceElement newestOf(StackTraceElement[] stack, String className) {
        for (StackTraceElement frame : stack) {
            if (frame.getClassName().equals(className)) {
                return frame;
            }
        }
        throw new AssertionError(className);
    }

    private static boolean isOf(StackTraceElement frame, String... prefixes) {
        for (String prefix : prefixes) {
            if (frame.getClassName().startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isJdk(StackTraceElement frame) {
        String module = frame.getModuleName();
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }
}
