package org.freshet.testkit.matrix;

import org.freshet.channel.ChannelFuture;

/** Closes after the last write: immediately, or after it has succeeded. */
final class CloseTrial extends Trial {
    private final int messages;
    private final boolean waits;

    /** Whether the close was requested. */
    private boolean isClosing;

    CloseTrial(Stage stage) {
        super(stage);
        messages = stage.draw().between(1, 25);
        waits = stage.draw().below(2) == 0;
    }

    @Override
    void onAsked(Link link) {
        writeGreedily(link, messages, () -> {
            writeTail(link);
            if (waits) {
                closeAfterwards(link);
            } else {
                close(link);
            }
        });
    }

    private void closeAfterwards(Link link) {
        int[] left = {link.ledger.entries().size()};
        for (Ledger.Entry entry : link.ledger.entries()) {
            ChannelFuture future = entry.future;
            future.addListener(done -> {
                if (--left[0] == 0) {
                    close(link);
                }
            });
        }
    }

    private void close(Link link) {
        isClosing = true;
        link.writer().close();
    }

    @Override
    void judge() {
        Link link = stage.link();
        boolean reads = link.peer.isWellBehaved() && !link.isBroken();
        stage.require(!reads || isClosing, link, "the writer hasn't written everything");
        if (!isClosing) {
            return;
        }
        stage.require(
                link.writer().getCloseFuture().isDone(), link, "asked to close, and not closed: " + link.writer());
        boolean isStream = link.writer() != link.connection(); // frames it has sent wait for the connection
        for (Ledger.Entry entry : link.ledger.entries()) {
            stage.require(
                    isStream || entry.future.isDone(), link, "closed, and the future of " + entry + " isn't done");
        }
        if (waits && reads) {
            requireAllArrived(link);
        }
    }
}
