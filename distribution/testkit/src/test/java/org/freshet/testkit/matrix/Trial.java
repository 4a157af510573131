package org.freshet.testkit.matrix;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.freshet.channel.WriteAccount;
import org.freshet.testkit.simulation.Simulation;

/**
 * What a cell's writer does, and the required outcome: one promise, in one run. For the thread that holds the
 * simulation's baton.
 */
abstract class Trial {
    private static final int INPUT_MESSAGES = 5;

    final Stage stage;

    Trial(Stage stage) {
        this.stage = stage;
    }

    // ---- the scenario -----------------------------------------------------------------------------------------------

    /** Adds options of the writer's channel. */
    void options(Map<String, Object> options) {}

    /** The peers of further connections to the same server. */
    List<PeerKind> others() {
        return List.of();
    }

    /** Whether writes are refused, so that parts of messages are missing and encoders report failures. */
    boolean mayRefuse() {
        return false;
    }

    /** Whether decoders may keep content that has arrived, because they wait for the rest of the answer. */
    boolean mayKeepContent() {
        return false;
    }

    /** Zero means none. */
    Duration stallTimeout() {
        return Duration.ZERO;
    }

    /** What the writer sends before its messages. */
    List<Object> head() {
        return stage.kind().head();
    }

    /** The writer may start. */
    abstract void onAsked(Link link);

    /** The writer's channel is writable again. */
    void onWritable(Link link) {}

    /** The reader has received a message. */
    void onReceived(Link link, Object message) {}

    /** Something has happened on the writer's side. */
    void onEvent(Link link) {}

    /** Nothing happens anymore. */
    void judge() {}

    /** Nothing happens anymore, and every channel was asked to close. */
    void judgeEnd() {}

    /** Called after the run, whatever its outcome. */
    void end() {}

    // ---- how to write -----------------------------------------------------------------------------------------------

    /**
     * Writes messages on the loop and as the users, whether the channel is writable or not; starts with an input where
     * possible.
     */
    final void writeGreedily(Link link, int count, Runnable whenWritten) {
        if (stage.combination().takesInputs()) {
            writeInput(link);
        }
        int[] left = {count};
        int ofLoop = 0;
        for (int i = 0; i < count; i++) {
            int thread = stage.draw().below(Simulation.USERS + 1);
            if (thread == Ledger.LOOP) {
                ofLoop++;
            } else {
                stage.simulation().step(thread - 1, () -> writeOne(link, thread, left, whenWritten));
            }
        }
        for (int i = 0; i < ofLoop; i++) {
            writeOne(link, Ledger.LOOP, left, whenWritten);
        }
    }

    private void writeOne(Link link, int thread, int[] left, Runnable whenWritten) {
        write(link, thread);
        if (--left[0] == 0) {
            afterAll(whenWritten);
        }
    }

    /** In an answer, what follows would overtake the other users' messages: these wait until the answer is complete. */
    private void afterAll(Runnable whenWritten) {
        if (stage.combination().has(Part.PIPELINED)) {
            stage.simulation().step(0, whenWritten);
        } else {
            whenWritten.run();
        }
    }

    /** Writes one message. */
    final Ledger.Entry write(Link link, int thread) {
        Ledger.Entry entry = link.ledger.add(thread, 1, stage.messageCost());
        link.ledger.onReturned(entry, link.write(stage.kind().message(link.ledger.contentOf(entry))));
        onEvent(link);
        return entry;
    }

    final void writeInput(Link link) {
        Ledger.Entry entry = link.ledger.add(Ledger.INPUT, INPUT_MESSAGES, WriteAccount.MESSAGE_BYTES);
        CountedInput input = new CountedInput(stage.kind(), entry, stage.messageBytes());
        stage.onHandedOver(input);
        link.ledger.onReturned(entry, link.write(input));
    }

    /** Marks the end of the writes. */
    final void writeTail(Link link) {
        stage.kind().tail().forEach(link::write);
    }

    /** How many messages an input has; 0 if none is written. */
    final int inputMessages() {
        return stage.combination().takesInputs() ? INPUT_MESSAGES : 0;
    }

    /** The charge of an input besides its messages. */
    final int inputBytes() {
        return stage.combination().takesInputs() ? WriteAccount.FILE_BYTES : 0;
    }

    // ---- how to check -----------------------------------------------------------------------------------------------

    /**
     * Checks that no more is queued than allowed, while the connection is open: afterwards the backlog is about to
     * fail.
     */
    final void requireBound(Link link, long bytes, String bound) {
        if (!link.connection().isOpen() || !link.writer().isOpen()) {
            return;
        }
        long waiting = WriteAccount.waitingBytes(link.connection());
        long outstanding = link.ledger.outstandingBytes();
        long allowed = bytes + stage.allowanceBytes();
        stage.require(
                waiting <= allowed, link, waiting + " bytes are charged, more than " + bound + " allows: " + allowed);
        stage.require(
                outstanding <= allowed,
                link,
                "writes of " + outstanding + " bytes aren't done, more than " + bound + " allows: " + allowed);
    }

    /** Checks that each write has succeeded and arrived. */
    final void requireAllArrived(Link link) {
        if (link.isBroken()) {
            return;
        }
        for (Ledger.Entry entry : link.ledger.entries()) {
            stage.require(link.hasArrived(entry), link, entry + " hasn't arrived");
            stage.require(
                    entry.future != null && entry.future.isSuccess(),
                    link,
                    "the future of " + entry + " isn't a success: " + entry.future);
        }
    }
}
