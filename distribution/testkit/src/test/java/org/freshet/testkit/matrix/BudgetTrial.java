package org.freshet.testkit.matrix;

import java.util.List;
import org.freshet.channel.MemoryBudget;

/**
 * Writes far more than the process's budget to several peers. The budget's check, normally on its own thread, is run by
 * a user of the simulation here, so that a seed determines it.
 */
final class BudgetTrial extends Trial {
    private static final int SMALL_MESSAGES = 400;
    private static final int LARGE_MESSAGES = 60;
    private static final int SMALL_BUDGET_BYTES = 64 * 1024;
    private static final int LARGE_BUDGET_BYTES = 512 * 1024;

    /** The unit in which a channel's sum is counted. */
    private static final long STEP_BYTES = 4096;

    /** How far the ceiling may be exceeded, in percent of it. */
    private static final int PERCENT = 10;

    private final long before = MemoryBudget.getLimit();
    private final long budgetBytes;
    private boolean isLookDue;

    BudgetTrial(Stage stage) {
        super(stage);
        budgetBytes = stage.simulation().isLarge() ? LARGE_BUDGET_BYTES : SMALL_BUDGET_BYTES;
        BudgetAccess.setLooking(false);
        MemoryBudget.setLimit(budgetBytes);
    }

    @Override
    List<PeerKind> others() {
        return List.of(stage.peer(), stage.peer(), PeerKind.READS);
    }

    @Override
    boolean mayRefuse() {
        return true;
    }

    @Override
    void onAsked(Link link) {
        int messages = stage.simulation().isLarge() ? LARGE_MESSAGES : SMALL_MESSAGES;
        writeGreedily(link, messages, () -> writeTail(link));
    }

    @Override
    void onEvent(Link link) {
        long queued = MemoryBudget.getQueuedBytes();
        long ofLinks = 0;
        for (Link each : stage.links()) {
            ofLinks += channels(each) * STEP_BYTES + inputBytes();
        }
        long allowed = budgetBytes + budgetBytes / 100 * PERCENT + stage.allowanceBytes() + ofLinks;
        stage.require(queued <= allowed, link, queued + " bytes are queued, more than the budget allows: " + allowed);
        long outstanding = 0;
        for (Link each : stage.links()) {
            boolean isOpen = each.writer() != null
                    && each.connection().isOpen()
                    && each.writer().isOpen();
            outstanding += isOpen ? each.ledger.outstandingBytes() : 0; // otherwise they are about to fail
        }
        stage.require(
                outstanding <= allowed,
                link,
                "writes of " + outstanding + " bytes aren't done, more than the budget allows: " + allowed);
        if (queued > budgetBytes && !isLookDue) {
            isLookDue = true;
            stage.simulation().step(0, this::lookNow);
        }
    }

    /** A stream and its connection each count whole steps. */
    private static int channels(Link link) {
        return link.writer() == null || link.writer() == link.connection() ? 1 : 2;
    }

    private void lookNow() {
        isLookDue = false;
        BudgetAccess.lookNow();
    }

    @Override
    void judgeEnd() {
        long queued = MemoryBudget.getQueuedBytes();
        stage.require(queued == 0, stage.link(), queued + " bytes are counted in the budget, but everything is closed");
    }

    @Override
    void end() {
        MemoryBudget.setLimit(before);
        BudgetAccess.setLooking(true);
    }
}
