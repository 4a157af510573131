package org.freshet.testkit.matrix;

import java.util.List;

/** Writes to a peer that misbehaves, and to others that read; at least one of them is on the same loop. */
final class NeighbourTrial extends Trial {
    private static final int MESSAGES = 15;

    NeighbourTrial(Stage stage) {
        super(stage);
    }

    @Override
    List<PeerKind> others() {
        return List.of(PeerKind.READS, PeerKind.READS);
    }

    @Override
    void onAsked(Link link) {
        writeGreedily(link, MESSAGES, () -> writeTail(link));
    }

    @Override
    void judge() {
        for (Link link : stage.links()) {
            if (link != stage.link()) {
                stage.require(link.writer() != null, link, "a neighbour was never served");
                requireAllArrived(link);
            }
        }
    }
}
