package org.freshet.testkit;

import org.freshet.testkit.capture.Capture;

/**
 * The first difference between a connection's recorded answers and those of a replay.
 *
 * @param connection its number in the {@link Capture}
 * @param client its client, in the form of {@link Capture#client}
 * @param event the recorded piece of the answer, numbered from 0, that contains the difference; earlier pieces are the
 *     same
 * @param offset bytes of the server's whole output before the difference, after {@link Replay#ignoring}
 * @param recorded the recorded output, starting a little before the difference
 * @param replayed the replay's output instead
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
