package org.freshet.channel;

/**
 * What the current thread is passing down a pipeline: the part of a channel's account that goes with the message. The first party below
 * that charges the same channel takes it over, so that a message on its way is counted once, and is not refused any more.
 *
 * <p>One per thread, and used by that thread only.
 */
final class Handover {
    private static final ThreadLocal<Handover> OF_THREAD = ThreadLocal.withInitial(Handover::new);

    /** Null while the thread passes nothing on. */
    private AccountedChannel channel;

    /** Not taken over so far. */
    private long units;

    /** The thread's, if it is passing on a message of that channel; else null. */
    static Handover of(AccountedChannel channel) {
        Handover now = OF_THREAD.get();
        return now.channel == channel ? now : null;
    }

    /** Returns what goes with the message; 0 the second time. */
    long take() {
        long taken = units;
        units = 0;
        return taken;
    }

    /** Runs what passes a message on; what nothing below has taken over is released afterwards. */
    static void run(AccountedChannel channel, long units, WriteAccount.Step step) throws Exception {
        Handover now = OF_THREAD.get();
        AccountedChannel outerChannel = now.channel;
        long outerUnits = now.units;
        now.channel = channel;
        now.units = units;
        try {
            step.run();
        } finally {
            long left = now.units;
            now.channel = outerChannel;
            now.units = outerUnits;
            channel.releaseHeld(left);
        }
    }
}
