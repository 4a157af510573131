package org.freshet.channel;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.freshet.internal.SafeText;

/** Recognizes exceptions that mean a lost connection. The JDK offers nothing but the system's messages to go by. */
final class LostConnection {
    private static final List<String> RESET = List.of(
            "connection reset",
            "broken pipe",
            "connection aborted",
            "software caused connection abort",
            "forcibly closed");

    private static final String TIMED_OUT = "connection timed out";

    private LostConnection() {}

    /** Whether the peer or the network has ended the connection. */
    static boolean isLost(Throwable cause) {
        String message = messageOf(cause);
        return isReset(message) || message.contains(TIMED_OUT);
    }

    /** Whether the connection was aborted, as opposed to given up because nothing came back. */
    static boolean isReset(Throwable cause) {
        return isReset(messageOf(cause));
    }

    private static boolean isReset(String message) {
        return RESET.stream().anyMatch(message::contains);
    }

    private static String messageOf(Throwable cause) {
        String message = cause instanceof IOException ? SafeText.messageOf(cause) : null;
        return message == null ? "" : message.toLowerCase(Locale.ROOT);
    }
}
