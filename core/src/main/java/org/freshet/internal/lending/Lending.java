package org.freshet.internal.lending;

import java.util.Locale;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.CompositeChannelBuffer;
import org.freshet.buffer.HeapChannelBuffer;
import org.freshet.buffer.WrappedChannelBuffer;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Whether this JVM lends reads, and how to handle lent buffers that are written. Any thread may call any method. */
public enum Lending {
    /** Reads are lent if that saves more than it costs. */
    ON,

    /** Every read is lent, in separate memory that is overwritten when the loan ends; for tests. */
    CHECK,

    /** No read is lent. */
    OFF;

    /** The system property. */
    static final String PROPERTY = "org.freshet.lending";

    /** Whether a class is a view: for one that isn't, {@code instanceof} searches all its interfaces each time. */
    private static final ClassValue<Boolean> IS_VIEW = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return WrappedChannelBuffer.class.isAssignableFrom(type);
        }
    };

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Lending.class);

    /** Copying fewer bytes than this costs less than a loan. */
    private static final int WORTH_LENDING_BYTES = 4 * 1024;

    /** The mode of this JVM, read once. */
    public static final Lending MODE = parse(System.getProperty(PROPERTY));

    /** The length of the shortest read that is lent. */
    public static final int MIN_BYTES = MODE.minBytes();

    /**
     * Whether there has been a loan in this JVM; until then, writes are not checked. Set before the first loan, by the thread that makes
     * it. Only that thread may use a lent buffer, so the field need not be volatile.
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
                logger.warn(PROPERTY + " must be on, check or off; ignored: " + value);
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
     * Returns the message to write to {@code channel}: a copy if it is lent and the channel, or a handler on the way to it, might keep it
     * for longer than the loan.
     *
     * @throws IllegalStateException if the loan has ended
     */
    public static Object forWrite(Object channel, Object message) {
        Loan loan = loanOf(message);
        return loan == null || loan.takesWriteTo(channel) ? message : ((ChannelBuffer) message).copy();
    }

    /** Returns the buffer if it may be kept, otherwise a copy of its readable bytes. */
    public static ChannelBuffer owned(ChannelBuffer buffer) {
        return hasHappened() && loanOf(buffer) != null ? buffer.copy() : buffer;
    }

    /** Returns the loan whose bytes the message contains, even through views; null if it contains none. */
    public static Loan loanOf(Object message) {
        if (message instanceof HeapChannelBuffer) {
            return null; // most writes
        }
        if (message instanceof LentChannelBuffer lent) {
            return lent.loan();
        }
        if (message != null && IS_VIEW.get(message.getClass())) {
            return loanOf(((WrappedChannelBuffer) message).unwrap());
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
