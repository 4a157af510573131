package org.freshet.channel.socket.nio;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.internal.write.OutgoingMessage;
import org.freshet.internal.write.WriteStall;

/**
 * Closes channels of a loop whose peers accept nothing for longer than {@code writeStallTimeoutMillis}. Loop only.
 *
 * <p>A channel is watched from when the kernel accepts no more until it does again. A peer that keeps up costs nothing.
 */
final class WriteStalls {
    private final Deadlines deadlines;
    private final Set<NioChannel> watched = Collections.newSetFromMap(new IdentityHashMap<>());

    WriteStalls(Deadlines deadlines) {
        this.deadlines = deadlines;
    }

    /** Called when the kernel accepts no more. */
    void onBlocked(NioChannel channel, int stallMillis) {
        OutgoingMessage head = channel.flusher().peek();
        if (head != null && watched.add(channel)) {
            WriteStall stall = new WriteStall(head, head.sent(), deadlines.nowNanos());
            lookLater(channel, stall, stallMillis);
        }
    }

    private void lookLater(NioChannel channel, WriteStall stall, int stallMillis) {
        deadlines.addIn(WriteStall.intervalMillis(stallMillis), () -> look(channel, stall));
    }

    private void look(NioChannel channel, WriteStall stall) {
        int stallMillis = channel.writeStallMillis();
        OutgoingMessage head = channel.flusher().peek();
        if (stallMillis == 0 || head == null || !channel.flusher().isBlocked()) {
            watched.remove(channel);
        } else if (stall.isOver(stallMillis, head, head.sent(), deadlines.nowNanos())) {
            watched.remove(channel);
            channel.giveUp(WriteStall.reason(stallMillis, WriteAccount.waitingBytes(channel)));
        } else {
            lookLater(channel, stall, stallMillis);
        }
    }
}
