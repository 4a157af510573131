package org.freshet.seams;

/** Decides which of these tests a build runs. */
final class Seams {
    private Seams() {}

    /** Whether all of them run: they take several minutes. */
    static boolean areAllRun() {
        return Boolean.getBoolean("freshet.seams");
    }
}
