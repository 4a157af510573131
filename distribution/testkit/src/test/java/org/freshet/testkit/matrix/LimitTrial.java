package org.freshet.testkit.matrix;

import java.util.Map;
import java.util.stream.Stream;
import org.freshet.channel.CloseReason;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;

/** Writes far more than the limit and the kernel allow. */
final class LimitTrial extends Trial {
    /** More than the kernel's buffers hold. */
    private static final int SMALL_MESSAGES = 180;

    private static final int LARGE_MESSAGES = 90;

    private final int limitBytes;
    private final WriteOverflow policy;

    LimitTrial(Stage stage) {
        super(stage);
        limitBytes = inputBytes() + stage.messageCost() * stage.draw().between(2, 8);
        policy = stage.draw().below(2) == 0 ? WriteOverflow.CLOSE : WriteOverflow.FAIL;
    }

    @Override
    void options(Map<String, Object> options) {
        options.put("writeBufferLimit", limitBytes);
        options.put("writeOverflow", policy);
        options.put("writeBufferHighWaterMark", stage.messageCost() * 2);
        options.put("writeBufferLowWaterMark", stage.messageCost());
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
        requireBound(link, limitBytes, "writeBufferLimit");
    }

    @Override
    void judge() {
        Link link = stage.link();
        onEvent(link);
        boolean isRefused = link.ledger.entries().stream()
                .anyMatch(entry -> entry.future.getCause() instanceof WriteOverflowException);
        stage.require(!isRefused || policy == WriteOverflow.FAIL, link, "a write is refused under CLOSE");
        CloseReason reason = link.connection().getCloseReason();
        boolean isOverflow = reason != null && reason.kind() == CloseReason.Kind.OVERFLOW;
        // the peer would take what follows a refused answer for that answer, so HTTP ends the connection
        boolean mayEnd = Stream.of(Part.HTTP, Part.HTTP_AGGREGATED, Part.HTTP_COMPRESSED, Part.HTTP_SERVER)
                .anyMatch(stage.combination()::has);
        stage.require(!isOverflow || policy == WriteOverflow.CLOSE || mayEnd, link, "closed under FAIL");
    }
}
