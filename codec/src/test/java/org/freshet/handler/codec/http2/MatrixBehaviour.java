package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a client of {@link Http2ClientMatrixTest} does on one connection, and what it has to report after it has been
 * answered.
 */
enum MatrixBehaviour {
    /** Reads a large answer in small pieces with pauses; other requests are answered meanwhile. */
    SLOW,
    /** Resets ten streams after their answers have begun; ten others continue. */
    CANCEL,
    /** Sends many small messages in one request, and receives them back. */
    SMALL,
    /**
     * The server drains the connection in the middle of five answers; the client then sends a request on another
     * connection.
     */
    DRAIN;

    static final int MANY = 10;
    static final int HELD = 5;
    static final int SMALL_MESSAGES = 2000;
    static final String BIG = "/big/1000000";
    static final String CANCELLED = "/big/20000000";
    static final String AFTER = "/small/after";

    /** The name used by the programs. */
    String argument() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The paths requested at the same time. */
    List<String> paths() {
        List<String> paths = new ArrayList<>();
        switch (this) {
            case SLOW -> {
                paths.add(BIG);
                for (int i = 0; i < MANY; i++) {
                    paths.add("/small/" + "n".repeat(i));
                }
            }
            case CANCEL -> {
                for (int i = 0; i < MANY; i++) {
                    paths.add("/big/" + (200_000 + i));
                }
            }
            case SMALL -> paths.add("/echo");
            case DRAIN -> {
                for (int i = 0; i < HELD; i++) {
                    paths.add("/held/" + HELD + "/" + (1_000_000 + i));
                }
            }
        }
        return paths;
    }

    /** Whether {@link #AFTER} is requested after all others have been answered. */
    boolean asksAfter() {
        return this == CANCEL || this == DRAIN;
    }

    /** The expected report of a client, sorted. */
    List<String> reports() {
        List<String> reports = new ArrayList<>();
        for (String path : paths()) {
            reports.add(this == SMALL ? MatrixService.report(path, smallMessages()) : MatrixService.report(path));
        }
        if (asksAfter()) {
            reports.add(MatrixService.report(AFTER));
        }
        reports.sort(null);
        return reports;
    }

    static byte[] smallMessage(int number) {
        String digits = String.valueOf(number);
        return (".".repeat(16 - digits.length()) + digits).getBytes(US_ASCII);
    }

    private static byte[] smallMessages() {
        byte[] all = new byte[SMALL_MESSAGES * 16];
        for (int i = 0; i < SMALL_MESSAGES; i++) {
            System.arraycopy(smallMessage(i), 0, all, i * 16, 16);
        }
        return all;
    }
}
