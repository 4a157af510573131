package org.freshet.channel;

/** Throws the given exception, checked or not. */
final class Rethrow {
    private Rethrow() {}

    static void now(Throwable t) throws Exception {
        if (t instanceof Error error) {
            throw error;
        }
        if (t != null) {
            throw (Exception) t;
        }
    }
}
