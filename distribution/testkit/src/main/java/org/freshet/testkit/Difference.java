package org.freshet.testkit;

import org.freshet.testkit.capture.Capture;

/**
 * A connection on which a replay answered otherwise than was recorded; of each, the first difference.
 *
 * @param connection its number in the {@link Capture}
 * @param client its client, as {@link Capture#client} has it
 * @param event the number of the recorded piece of the answer, from 0, in which the difference is; those before are the same
 * @param offset bytes of the server's whole output before the difference, after {@link Replay#ignoring}
 * @param recorded what was recorded from a little before there on
 * @param replayed what the replay sent instead
 * @param handler the class of the handler that wrote it; empty if nothing was written
 */
public record Difference(
        int connection, String client, int event, int offset, String recorded, String replayed, String handler) {
    @Override
    public String toString() {
        return "connection " + connection + " (client " + client + "), answer " + event + ", byte " + offset
                + (handler.isEmpty() ? "" : ", written by " + handler) + ":\n    recorded \"" + recorded
                + "\"\n    replayed \"" + replayed + "\"";
    }
}
