package org.freshet.channel;

/**
 * The charge that the current thread is passing down a pipeline with a message: the part of the channel's account that belongs to it. The
 * first handler or transport below that charges the same channel takes it over, so a message on its way is counted once and no longer
 * refused.
 *
 * <p>One per thread, and used by that thread only.
 */
final class Handover {
    private static final ThreadLocal<Handover> OF_THREAD = ThreadLocal.withInitial(Handover::new);

    /** Null while the thread passes nothing on. */
    private AccountedChannel channel;

    /** The units that nothing has taken over yet. */
    private long units;

    /** Returns the current thread's hand-over if it is passing on a message of that channel, otherwise null. */
    static Handover of(AccountedChannel channel) {
        Handover now = OF_THREAD.get();
        return now.channel == channel ? now : null;
    }

    /** Returns the charge that goes with the message; 0 from the second call on. */
    long take() {
        long taken = units;
        units = 0;
        return taken;
    }

    /**
     * Sends an event down. Units that nothing below has taken over are released afterwards, even if something throws. Allocates nothing
     * itself.
     */
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

    /** Runs an action that passes a message on by other means than an event. */
    static void run(AccountedChannel channel, long units, WriteAccount.SendAction action) throws Exception {
        Handover now = ofThread(channel, units);
        AccountedChannel outerChannel = now.channel;
        long outerUnits = now.units;
        now.channel = channel;
        now.units = units;
        try {
            action.run();
        } finally {
            now.end(outerChannel, outerUnits);
        }
    }

    /** A thread's first call allocates. If that fails for lack of memory, the charge is released. */
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
