package org.freshet.bootstrap;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * How the connections of drained servers ended. Immutable; {@link #toString} is a single line for the log.
 *
 * @param finished connections closed after their work was done
 * @param idle connections closed because they had no work
 * @param disconnected connections closed by the peer or a handler while no handler held them and nothing waited to be
 *     sent
 * @param lost connections lost while a handler held them or something waited to be sent, or whose work a handler abandoned
 * @param cutOff connections closed at the deadline
 * @param duration from when the servers stopped accepting until the last connection had ended
 */
public record DrainReport(
        int finished, int idle, int disconnected, List<Unfinished> lost, List<Unfinished> cutOff, Duration duration) {
    private static final int MAX_NAMED = 5;

    /**
     * A connection that could not finish its work.
     *
     * @param channelId see {@link org.freshet.channel.Channel#getId}
     * @param remoteAddress null if unknown
     * @param holds what kept it open, in the words of its handlers; empty if it just had not been silent for long enough
     * @param unsentBytes bytes written but not sent, as counted by {@link org.freshet.channel.WriteAccount}
     */
    public record Unfinished(Integer channelId, SocketAddress remoteAddress, List<String> holds, long unsentBytes) {
        public Unfinished {
            holds = List.copyOf(holds);
        }

        @Override
        public String toString() {
            String what = holds.isEmpty() ? "still active" : String.join(", ", holds);
            String lost = unsentBytes > 0 ? ", " + unsentBytes + " bytes unsent" : "";
            return String.format("[0x%08x, %s] %s%s", channelId, remoteAddress, what, lost);
        }
    }

    public DrainReport {
        lost = List.copyOf(lost);
        cutOff = List.copyOf(cutOff);
    }

    /** The number of connections that were open when the servers stopped accepting. */
    public int connections() {
        return finished + idle + disconnected + lost.size() + cutOff.size();
    }

    /** Whether all work was done: no connection was cut off or lost early. */
    public boolean isClean() {
        return lost.isEmpty() && cutOff.isEmpty();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(160);
        int connections = connections();
        text.append("drained ").append(connections).append(connections == 1 ? " connection in " : " connections in ");
        text.append(duration.toMillis()).append(" ms: ").append(finished).append(" finished, ");
        text.append(idle).append(" idle, ").append(disconnected).append(" disconnected, ");
        text.append(lost.size()).append(" lost, ").append(cutOff.size()).append(" cut off");
        name(text, "; lost: ", lost);
        name(text, "; cut off: ", cutOff);
        return text.toString();
    }

    private static void name(StringBuilder text, String title, List<Unfinished> all) {
        if (all.isEmpty()) {
            return;
        }
        text.append(title);
        for (int i = 0; i < Math.min(all.size(), MAX_NAMED); i++) {
            text.append(i == 0 ? "" : "; ").append(all.get(i));
        }
        if (all.size() > MAX_NAMED) {
            text.append("; and ").append(all.size() - MAX_NAMED).append(" more");
        }
    }
}
