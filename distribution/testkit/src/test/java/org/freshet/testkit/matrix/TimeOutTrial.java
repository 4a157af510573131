package org.freshet.testkit.matrix;

import java.time.Duration;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;

/** Like {@link BackPressureTrial}, with a limit on the time during which the peer reads nothing. */
final class TimeOutTrial extends BackPressureTrial {
    /** Longer than a slow peer takes to read what fits into the kernel's buffers. */
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
            stage.require(!isTimedOut || isAllSent, link, "the peer reads, but the channel was closed: " + reason);
        } else if (!isAllSent && link.writer() != null) {
            stage.require(!connection.isOpen(), link, "the peer reads nothing, but there is no time-out");
        }
    }
}
