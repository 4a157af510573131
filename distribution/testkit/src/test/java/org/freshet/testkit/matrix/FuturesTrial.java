package org.freshet.testkit.matrix;

import java.util.concurrent.TimeUnit;

/** Writes, and in some runs closes in the middle; checks only invariants. */
final class FuturesTrial extends Trial {
    private static final int MAX_MILLIS_TO_CLOSE = 2_000;

    private final int messages;

    FuturesTrial(Stage stage) {
        super(stage);
        messages = stage.draw().between(1, 40);
    }

    @Override
    void onAsked(Link link) {
        if (stage.draw().oneIn(3)) {
            int millis = stage.draw().below(MAX_MILLIS_TO_CLOSE);
            stage.timer().newTimeout(t -> link.writer().close(), millis, TimeUnit.MILLISECONDS);
        }
        writeGreedily(link, messages, () -> writeTail(link));
    }

    @Override
    void judge() {
        Link link = stage.link();
        boolean isOpen = link.writer() != null
                && link.connection().isOpen()
                && link.writer().isOpen();
        if (isOpen && link.peer.isWellBehaved() && !link.isBroken()) {
            requireAllArrived(link);
        }
    }
}
