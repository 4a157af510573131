package org.freshet.testkit.simulation;

/**
 * Rates of rare behaviour of the simulated kernel and scheduler. Per mille of the occasions, unless a unit is given.
 *
 * <p>Each seed has some kinds of faults and lacks others: with all of them together, few runs would get far.
 *
 * @param shortRead a read returns less than is available
 * @param shortWrite a write takes less than there is room for
 * @param zeroRead a key is reported although nothing can be read
 * @param zeroWrite a write takes nothing although there is room
 * @param lateKey a ready key is reported only by a later select
 * @param reset the network resets a connection when it could deliver something
 * @param noBuffers a write fails because kernel memory is exhausted
 * @param noDescriptors a socket cannot be opened or accepted
 * @param lateAccept accept returns nothing although a connection is waiting
 * @param abortedAccept accept fails because its connection was reset
 * @param refused a connect is refused
 * @param unanswered a connect is never answered
 * @param spuriousWakeUp a select returns without cause
 * @param failedSelect a select fails
 * @param jump the clock jumps by up to a few seconds
 * @param switching another thread takes over at a system call
 * @param stepNanos the maximum time from one step to the next
 */
public record FaultRates(
        int shortRead,
        int shortWrite,
        int zeroRead,
        int zeroWrite,
        int lateKey,
        int reset,
        int noBuffers,
        int noDescriptors,
        int lateAccept,
        int abortedAccept,
        int refused,
        int unanswered,
        int spuriousWakeUp,
        int failedSelect,
        int jump,
        int switching,
        int stepNanos) {

    /** No faults: the seed only determines the order of events. */
    public static FaultRates none(Draw draw) {
        return none(draw.oneOf(30, 150, 500), draw.oneOf(100, 20_000, 1_000_000));
    }

    /** No faults, and a thread runs until it waits. */
    public static FaultRates noneInTurn() {
        return none(0, 100);
    }

    private static FaultRates none(int switching, int stepNanos) {
        return new FaultRates(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, switching, stepNanos);
    }

    /** Faults that a program notices only by its speed. */
    public static FaultRates harmless(Draw draw) {
        return new FaultRates(
                sometimes(draw, 500),
                sometimes(draw, 500),
                sometimes(draw, 200),
                sometimes(draw, 200),
                sometimes(draw, 300),
                0,
                0,
                0,
                sometimes(draw, 300),
                0,
                0,
                0,
                sometimes(draw, 100),
                0,
                0,
                draw.oneOf(30, 150, 500),
                draw.oneOf(100, 20_000, 1_000_000));
    }

    /** All faults, including those that break connections. */
    public static FaultRates any(Draw draw) {
        FaultRates base = harmless(draw);
        return new FaultRates(
                base.shortRead,
                base.shortWrite,
                base.zeroRead,
                base.zeroWrite,
                base.lateKey,
                sometimes(draw, 20),
                sometimes(draw, 20),
                sometimes(draw, 300),
                base.lateAccept,
                sometimes(draw, 100),
                sometimes(draw, 300),
                sometimes(draw, 300),
                base.spuriousWakeUp,
                sometimes(draw, 20),
                sometimes(draw, 5),
                base.switching,
                base.stepNanos);
    }

    private static int sometimes(Draw draw, int perMille) {
        return draw.oneIn(3) ? draw.between(1, perMille) : 0;
    }

    /** Returns rates without the faults that break connections, so that everything in progress can complete. */
    FaultRates healed() {
        return new FaultRates(
                shortRead,
                shortWrite,
                zeroRead,
                zeroWrite,
                lateKey,
                0,
                0,
                0,
                lateAccept,
                0,
                0,
                0,
                spuriousWakeUp,
                0,
                0,
                switching,
                stepNanos);
    }
}
