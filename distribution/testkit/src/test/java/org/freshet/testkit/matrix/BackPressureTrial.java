package org.freshet.testkit.matrix;

import java.util.Map;

/** Writes while the channel is writable, and continues when it is writable again. */
class BackPressureTrial extends Trial {
    private final int messages;
    private final int highBytes;
    private final int lowBytes;

    /** The cell's own link. */
    private int written;

    private boolean isWriting;

    BackPressureTrial(Stage stage) {
        super(stage);
        messages = stage.draw().between(10, 60);
        highBytes = stage.messageCost() * stage.draw().between(1, 6);
        lowBytes = highBytes / stage.draw().between(1, 4);
    }

    @Override
    void options(Map<String, Object> options) {
        options.put("writeBufferHighWaterMark", highBytes);
        options.put("writeBufferLowWaterMark", lowBytes);
    }

    @Override
    void onAsked(Link link) {
        if (stage.combination().takesInputs()) {
            writeInput(link);
        }
        onWritable(link);
    }

    @Override
    void onWritable(Link link) {
        if (isWriting) {
            return; // an event within a write: the loop below continues
        }
        isWriting = true;
        while (written < messages && link.writer().isWritable()) {
            written++;
            write(link, Ledger.LOOP);
            if (written == messages) {
                writeTail(link);
            }
        }
        isWriting = false;
    }

    @Override
    void onEvent(Link link) {
        int marks = link.writer() == link.connection() ? 1 : 2; // a stream has its own mark
        requireBound(link, marks * highBytes + inputBytes() + stage.ownMarksBytes(), "the high water mark");
    }

    @Override
    void judge() {
        Link link = stage.link();
        if (link.peer.isWellBehaved() && !link.isBroken()) {
            stage.require(written == messages, link, "the writer has written " + written + " of " + messages);
            requireAllArrived(link);
        }
    }
}
