package org.freshet.testkit;

import java.util.function.ToIntFunction;
import org.freshet.testkit.simulation.Draw;
import org.freshet.testkit.simulation.FaultRates;

/**
 * The faults of a {@link SimulatedNetwork} and how often they happen. Immutable.
 *
 * <p>Rates are probabilities from 0 to 1 per occasion. If you don't set a rate, the seed chooses it. Each run then has
 * some kinds of faults and lacks others, because with all of them in every run few runs would get far.
 *
 * <pre>{@code
 * network.faults(Faults.standard().resets(0.01).slowPeers(0.1));
 * }</pre>
 */
public final class Faults {
    private static final int DRAWN = -1;

    private static final Faults NONE = new Faults(Others.NONE, 0, 0, 0, 0, 0, 0);
    private static final Faults STANDARD = new Faults(Others.DRAWN, DRAWN, DRAWN, DRAWN, DRAWN, DRAWN, 0);
    private static final Faults NONE_IN_TURN = new Faults(Others.NONE_IN_TURN, 0, 0, 0, 0, 0, 0);

    /** What has no setter. */
    private enum Others {
        NONE,
        /** Threads also keep the processor until they wait. */
        NONE_IN_TURN,
        /** The seed chooses the rates. */
        DRAWN
    }

    private final Others others;

    /** Per mille, or {@link #DRAWN}. */
    private final int shortReads;

    private final int shortWrites;
    private final int resets;
    private final int refusedConnects;
    private final int clockJumps;
    private final int slowPeers;

    private Faults(
            Others others,
            int shortReads,
            int shortWrites,
            int resets,
            int refusedConnects,
            int clockJumps,
            int slowPeers) {
        this.others = others;
        this.shortReads = shortReads;
        this.shortWrites = shortWrites;
        this.resets = resets;
        this.refusedConnects = refusedConnects;
        this.clockJumps = clockJumps;
        this.slowPeers = slowPeers;
    }

    /** A perfect network: the seed only determines the order of events. */
    public static Faults none() {
        return NONE;
    }

    /** The same, with few switches between threads: takes half the time, and tries fewer orders of events. */
    static Faults noneInTurn() {
        return NONE_IN_TURN;
    }

    /** Every kind of fault except slow peers, each at a rate chosen by the seed. The default. */
    public static Faults standard() {
        return STANDARD;
    }

    /** Sets how often a read returns less than is available. */
    public Faults shortReads(double rate) {
        return new Faults(others, perMille(rate), shortWrites, resets, refusedConnects, clockJumps, slowPeers);
    }

    /** Sets how often the socket accepts less of a write than it has room for. */
    public Faults shortWrites(double rate) {
        return new Faults(others, shortReads, perMille(rate), resets, refusedConnects, clockJumps, slowPeers);
    }

    /** Sets how often the network resets a connection when it could deliver something. */
    public Faults resets(double rate) {
        return new Faults(others, shortReads, shortWrites, perMille(rate), refusedConnects, clockJumps, slowPeers);
    }

    /** Sets how often a connect is refused. */
    public Faults refusedConnects(double rate) {
        return new Faults(others, shortReads, shortWrites, resets, perMille(rate), clockJumps, slowPeers);
    }

    /** Sets how often, between two steps, the clock jumps ahead by up to three seconds. */
    public Faults clockJumps(double rate) {
        return new Faults(others, shortReads, shortWrites, resets, refusedConnects, perMille(rate), slowPeers);
    }

    /** Sets the share of scripted peers that read slowly: once every 50 simulated milliseconds. */
    public Faults slowPeers(double share) {
        return new Faults(others, shortReads, shortWrites, resets, refusedConnects, clockJumps, perMille(share));
    }

    private static int perMille(double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException("rate not in 0..1: " + rate);
        }
        return (int) Math.round(1000 * rate);
    }

    int slowPeers() {
        return slowPeers;
    }

    FaultRates rates(Draw draw) {
        FaultRates drawn = drawn(draw);
        return new FaultRates(
                pick(shortReads, drawn, FaultRates::shortRead),
                pick(shortWrites, drawn, FaultRates::shortWrite),
                drawn.zeroRead(),
                drawn.zeroWrite(),
                drawn.lateKey(),
                pick(resets, drawn, FaultRates::reset),
                drawn.noBuffers(),
                drawn.noDescriptors(),
                drawn.lateAccept(),
                drawn.abortedAccept(),
                pick(refusedConnects, drawn, FaultRates::refused),
                drawn.unanswered(),
                drawn.spuriousWakeUp(),
                drawn.failedSelect(),
                pick(clockJumps, drawn, FaultRates::jump),
                drawn.switching(),
                drawn.stepNanos());
    }

    private FaultRates drawn(Draw draw) {
        return switch (others) {
            case NONE -> FaultRates.none(draw);
            case NONE_IN_TURN -> FaultRates.noneInTurn();
            case DRAWN -> draw.oneIn(2) ? FaultRates.any(draw) : FaultRates.harmless(draw);
        };
    }

    private static int pick(int set, FaultRates drawn, ToIntFunction<FaultRates> kind) {
        return set == DRAWN ? kind.applyAsInt(drawn) : set;
    }
}
