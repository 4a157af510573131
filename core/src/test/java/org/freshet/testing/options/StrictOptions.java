package org.freshet.testing.options;

/** Runs tests with {@code -Dorg.freshet.strictOptions=true}. */
public final class StrictOptions {
    private static final String PROPERTY = "org.freshet.strictOptions";

    private StrictOptions() {}

    /** While the task runs, unknown options are errors. */
    public static void during(Runnable task) {
        System.setProperty(PROPERTY, "true");
        try {
            task.run();
        } finally {
            System.clearProperty(PROPERTY);
        }
    }
}
