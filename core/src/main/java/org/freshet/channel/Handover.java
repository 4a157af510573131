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

    /** Sends an event down; what nothing below has taken over is released afterwards, whatever is thrown. Takes no memory by itself. */
    static void send(AccountedChannel channel, long units, ChannelHandlerContext ctx, ChannelEvent event) {
        Handover now = ofThread(channel, units);
        AccountedChannel outerChannel = now.channel;
        long outerUnits = now.units;
        now.channel = channel;
        now.units = units;
        try {
            ctx.sendDownstream(event);
        } finally {
            now.end(outerChannel, outerUnits);
        }
    }

    /** Runs what passes a message on in a way of its own. */
    static void run(AccountedChannel channel, long units, WriteAccount.Step step) throws Exception {
        Handover now = ofThread(channel, units);
        AccountedChannel outerChannel = now.channel;
        long outerUnits = now.units;
        now.channel = channel;
        now.units = units;
        try {
            step.run();
        } finally {
            now.end(outerChannel, outerUnits);
        }
    }

    /** The first call of a thread takes memory. Without it the charge ends. */
    private static Handover ofThread(AccountedChannel channel, long units) {
        try {
            return OF_THREAD.get();
        } catch (Throwable t) {
            channel.releaseHeld(units);
            throw t;
        }
    }

    private void end(AccountedChannel outerChannel, long outerUnits) {
        AccountedChannel ended = channel;
        long left = units;
        channel = outerChannel;
        units = outerUnits;
        ended.releaseHeld(left);
    }
}
