package org.freshet.testkit.simulation;

import java.util.Arrays;

/** Finds the line of a program that a failure message should name. */
final class Stacks {
    private Stacks() {}

    /** Returns the innermost frame outside the JDK, after a line break; empty for none. */
    static String placeIn(StackTraceElement... stack) {
        return Arrays.stream(stack)
                .filter(frame ->
                        frame.getModuleName() == null || !frame.getModuleName().startsWith("java."))
                .findFirst()
                .map(frame -> "\n    at " + frame)
                .orElse("");
    }

    /** Returns the place from which this thread has called the library. */
    static String placeOfCaller() {
        return placeIn(StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !frame.getClassName().startsWith("org.freshet."))
                        .map(StackWalker.StackFrame::toStackTraceElement)
                        .toArray(StackTraceElement[]::new)));
    }
}
