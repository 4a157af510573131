package org.freshet.internal.lending;

import java.util.Locale;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.CompositeChannelBuffer;
import org.freshet.buffer.WrappedChannelBuffer;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Whether this JVM lends reads, and what is to be done with lent buffers that are written. Any thread. */
public enum Lending {
    /** Reads are lent where that saves more than it costs. */
    ON,

    /** Every read is lent, in memory of its own that is overwritten when the loan ends: for tests. */
    CHECK,

    /** No read is lent. */
    OFF;

    /** The system property. */
    static final String PROPERTY = "org.freshet.lending";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Lending.class);

    /** Copying fewer bytes costs less than a loan. */
    private static final int WORTH_LENDING_BYTES = 4 * 1024;

    /** How this JVM was started. */
    public static final Lending MODE = parse(System.getProperty(PROPERTY));

    /** The shortest read that is lent. */
    public static final int MIN_BYTES = MODE.minBytes();

    /**
     * Whether there was a loan in this JVM: while there was none, writes are not looked at. Set before the first loan by the thread that
     * makes it, and a lent buffer is for that thread alone, so it need not be volatile.
     */
    private static boolean happened;

    static Lending parse(String value) {
        if (value == null) {
            return ON;
        }
        return switch (value.trim().toLowerCase(Locale.ROOT)) {
            case "on" -> ON;
            case "check" -> CHECK;
            case "off" -> OFF;
            default -> {
                logger.warn(PROPERTY + " is none of on, check, off and is ignored: " + value);
                yield ON;
            }
        };
    }

    private int minBytes() {
        return switch (this) {
            case ON -> WORTH_LENDING_BYTES;
            case CHECK -> 1;
            case OFF -> Integer.MAX_VALUE;
        };
    }

    static void onLoan() {
        happened = true;
    }

    public static boolean hasHappened() {
        return happened;
    }

    /**
     * The message that may be written to {@code channel}: a copy if it is lent and the channel, or a handler on the way to it, might keep
     * it for longer than the loan.
     *
     * @throws IllegalStateException if the loan has ended
     */
    public static Object forWrite(Object channel, Object message) {
        Loan loan = loanOf(message);
        return loan == null || loan.takesWriteTo(channel) ? message : ((ChannelBuffer) message).copy();
    }

    /** The buffer if it may be kept, else a copy of what is readable. */
    public static ChannelBuffer owned(ChannelBuffer buffer) {
        return hasHappened() && loanOf(buffer) != null ? buffer.copy() : buffer;
    }

    /** The loan whose bytes the message shows, through whatever views; null if there is none. */
    public static Loan loanOf(Object message) {
        if (message instanceof LentChannelBuffer lent) {
            return lent.loan();
        }
        if (message instanceof WrappedChannelBuffer view) {
            return loanOf(view.unwrap());
        }
        if (message instanceof CompositeChannelBuffer composite) {
            return loanOfParts(composite);
        }
        return null;
    }

    private static Loan loanOfParts(CompositeChannelBuffer composite) {
        for (int i = 0; i < composite.numComponents(); i++) {
            Loan loan = loanOf(composite.component(i));
            if (loan != null) {
                return loan;
            }
        }
        return null;
    }
}
