package org.freshet.channel.socket.nio;

import java.util.IdentityHashMap;
import java.util.Map;
import org.freshet.channel.CloseReason;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.internal.transport.BrokenOutput;

/**
 * Closes channels of a loop that can't send any more, once their handlers have read nothing for too long. Loop only.
 */
final class BrokenOutputs {
    private static final class Watched {
        final BrokenOutput output = new BrokenOutput();
        Deadlines.Deadline nextLook;
    }

    private final Deadlines deadlines;
    private final Map<NioChannel, Watched> watched = new IdentityHashMap<>();

    BrokenOutputs(Deadlines deadlines) {
        this.deadlines = deadlines;
    }

    /** Watches a channel until it is closed. */
    void onBroken(NioChannel channel) {
        Watched broken = new Watched();
        channel.getCloseFuture().addListener(closed -> forget(channel));
        lookLater(channel, broken);
        watched.put(channel, broken);
    }

    private void forget(NioChannel channel) {
        Watched closed = watched.remove(channel);
        if (closed != null) {
            closed.nextLook.cancel();
        }
    }

    /** Called when the channel reads from its socket. */
    void onRead(NioChannel channel) {
        watched.get(channel).output.onRead();
    }

    private void lookLater(NioChannel channel, Watched broken) {
        broken.nextLook = deadlines.addIn(BrokenOutput.LOOK_MILLIS, () -> look(channel, broken));
    }

    private void look(NioChannel channel, Watched broken) {
        if (broken.output.isOver()) {
            channel.onEnds(CloseReason.of(CloseReason.Kind.PEER_RESET));
        } else {
            lookLater(channel, broken);
        }
    }
}
