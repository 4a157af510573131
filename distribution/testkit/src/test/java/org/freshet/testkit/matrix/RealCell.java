package org.freshet.testkit.matrix;

import java.util.ArrayList;
import java.util.List;

/** One cell of the matrix on real sockets. */
record RealCell(RealRun.Transport transport, Combination combination, RealRun.Ending ending, PeerKind peer) {
    /** Selects the one cell to run. */
    static final String PROPERTY = "freshet.matrix.real";

    static List<RealCell> all() {
        List<RealCell> all = new ArrayList<>();
        for (Combination combination : Combination.all()) {
            for (RealRun.Transport transport : RealRun.Transport.values()) {
                for (RealRun.Ending ending : RealRun.Ending.values()) {
                    for (PeerKind peer : List.of(PeerKind.READS, PeerKind.RESETS)) {
                        RealCell cell = new RealCell(transport, combination, ending, peer);
                        if (cell.isPossible()) {
                            all.add(cell);
                        }
                    }
                }
            }
        }
        return all;
    }

    /** A proxy's target has an Internet address, and only servers are drained. */
    private boolean isPossible() {
        boolean isClient = combination.has(Part.PROXY);
        boolean isOfInternet = transport == RealRun.Transport.NIO || transport == RealRun.Transport.OIO;
        return !isClient || isOfInternet && ending != RealRun.Ending.DRAIN;
    }

    /** @param name as returned by {@link #toString()} */
    static RealCell of(String name) {
        String[] parts = name.split(":");
        return new RealCell(
                RealRun.Transport.valueOf(parts[0]),
                Combination.of(parts[1]),
                RealRun.Ending.valueOf(parts[2]),
                PeerKind.valueOf(parts[3]));
    }

    /** Returns what went wrong; null if nothing did. */
    Throwable run() {
        try (RealRun run = new RealRun(this)) {
            run.run();
            return null;
        } catch (Throwable failure) {
            return failure;
        }
    }

    @Override
    public String toString() {
        return transport + ":" + combination + ":" + ending + ":" + peer;
    }
}
