package org.freshet.testkit.matrix;

import java.time.Duration;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;

/** As {@link BackPressureTrial}, with a limit of the time in which the peer takes nothing. */
final class TimeOutTrial extends BackPressureTrial {
    /** More than a slow peer takes for what fits into the kernel's buffers. */
    private static final int STALL_SECONDS = 600;

    TimeOutTrial(Stage stage) {
        super(stage);
    }

    @Override
    void options(Map<String, Object> options) {
        super.options(options);
        options.put("writeStallTimeoutMillis", STALL_SECONDS * 1000);
    }

    @Override
    Duration stallTimeout() {
        return Duration.ofSeconds(STALL_SECONDS);
    }

    @Override
    void judge() {
        super.judge();
        Link link = stage.link();
        Channel connection = link.connection();
        CloseReason reason = connection == null ? null : connection.getCloseReason();
        boolean isTimedOut = reason != null && reason.kind() == CloseReason.Kind.TIMED_OUT;
        boolean isAllSent = link.ledger.outstandingBytes() == 0;
        if (link.peer.isWellBehaved()) {
            stage.require(!isTimedOut || isAllSent, link, "the peer reads, and was closed on: " + reason);
        } else if (!isAllSent && link.writer() != null) {
            stage.require(!connection.isOpen(), link, "the peer takes nothing, and no time-out comes");
        }
    }
}
