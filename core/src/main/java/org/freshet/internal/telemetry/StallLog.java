package org.freshet.internal.telemetry;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Logs stalls: a warning with the stack when a stall is first seen, and a line when it is over. Each class is reported once per minute; the
 * next message says how many reports were left out. Watch only.
 */
final class StallLog implements Consumer<StallReport> {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(LoopWatch.class);
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoClock;
    private final Map<String, Account> accounts = new HashMap<>();

    /** When a class was last reported. */
    private static final class Account {
        Thread reported;
        long reportedNanos;
        int omitted;
    }

    StallLog() {
        this(System::nanoTime);
    }

    StallLog(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    @Override
    public void accept(StallReport report) {
        String type = String.valueOf(report.type());
        Account account = accounts.get(type);
        if (report.isOver()) {
            if (account != null && account.reported == report.thread()) {
                account.reported = null;
                logger.info(describe(report));
            }
        } else if (account == null || nanoClock.getAsLong() - account.reportedNanos >= QUIET_NANOS) {
            warn(report, account == null ? 0 : account.omitted);
            account = new Account();
            account.reported = report.thread();
            account.reportedNanos = nanoClock.getAsLong();
            accounts.put(type, account);
        } else if (account.reported != report.thread()) {
            account.omitted++;
        }
    }

    private static void warn(StallReport report, int omitted) {
        Throwable stack = new Throwable("stack of " + report.loopName());
        stack.setStackTrace(report.stack());
        String more = omitted == 0 ? "" : " (" + omitted + " more reports for this class not logged)";
        logger.warn(describe(report) + more, stack);
    }

    /** Returns a sentence about what holds the loop and what to do. */
    static String describe(StallReport report) {
        StringBuilder text = new StringBuilder(200).append(report.loopName());
        text.append(report.isOver() ? " continues after " : " has been in ");
        if (report.isOver()) {
            text.append(millis(report.nanos())).append(" in ");
        }
        text.append(report.where());
        if (report.channel() != null) {
            text.append(" on ").append(report.channel());
        }
        if (!report.isOver()) {
            text.append(" for ").append(millis(report.nanos())).append("; ");
            int others = Math.max(0, report.channels() - (report.channel() == null ? 0 : 1));
            text.append(String.format(Locale.ROOT, "%,d", others))
                    .append(others == 1 ? " other channel waits." : " other channels wait.");
            if (report.code() != null) {
                text.append(" Move blocking code behind an ExecutionHandler.");
            }
        }
        return text.toString();
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%,d ms", TimeUnit.NANOSECONDS.toMillis(nanos));
    }
}
