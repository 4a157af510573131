package org.freshet.testkit.matrix;

import java.util.concurrent.TimeUnit;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.internal.drain.ChannelDrain.End;
import org.freshet.internal.drain.ChannelDrain.Outcome;

/** Drains the connection after everything was written; cuts it off after some minutes. */
final class DrainTrial extends Trial {
    /** Long enough for a peer that reads. */
    private static final int DEADLINE_MINUTES = 20;

    private final int messages;

    /** Null before the drain. */
    private ChannelDrain drain;

    DrainTrial(Stage stage) {
        super(stage);
        messages = stage.draw().between(1, 25);
    }

    @Override
    void onAsked(Link link) {
        writeGreedily(link, messages, () -> {
            writeTail(link);
            stage.simulation().step(stage.draw().below(2), () -> drain(link));
        });
    }

    private void drain(Link link) {
        if (!link.connection().isOpen()) {
            return; // losses happened before
        }
        drain = ChannelDrain.start(link.connection(), 0, Runnable::run);
        stage.timer()
                .newTimeout(
                        t -> {
                            if (!drain.ended().isDone()) {
                                drain.cut();
                            }
                        },
                        DEADLINE_MINUTES,
                        TimeUnit.MINUTES);
    }

    @Override
    void judge() {
        Link link = stage.link();
        if (drain == null) {
            stage.require(!link.peer.isWellBehaved() || link.isBroken(), link, "the drain has not begun");
            return;
        }
        stage.require(drain.ended().isDone(), link, "the drain has not ended");
        End end = drain.ended().getNow(null);
        if (end == null) {
            return;
        }
        boolean isClean = end.outcome() != Outcome.CUT && end.outcome() != Outcome.LOST;
        if (isClean && link.peer.isWellBehaved()) {
            requireAllArrived(link);
        } else if (isClean && end.outcome() != Outcome.DISCONNECTED) {
            long lost = link.ledger.entries().stream()
                    .filter(entry -> entry.future.isDone() && !entry.future.isSuccess())
                    .count();
            stage.require(lost == 0 || link.isBroken(), link, "a clean drain has lost " + lost + " writes: " + end);
        } else if (end.outcome() == Outcome.CUT) {
            stage.require(
                    end.unsentBytes() > 0 || !end.holds().isEmpty(), link, "cut off, and no loss is named: " + end);
        }
        boolean mustBeClean = link.peer.isWellBehaved() && !link.isBroken();
        stage.require(isClean || !mustBeClean, link, "the peer reads, and the drain has lost something: " + end);
    }
}
