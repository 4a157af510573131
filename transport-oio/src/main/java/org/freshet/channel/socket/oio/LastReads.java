package org.freshet.channel.socket.oio;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.CloseReason;
import org.freshet.internal.time.Alarm;
import org.freshet.internal.transport.BrokenOutput;

/**
 * Closes a connection that can't send any more, once its handlers have read nothing for too long. Any thread may call
 * it.
 */
final class LastReads {
    private final OioSocketChannel channel;
    private final BrokenOutput output = new BrokenOutput();
    private final Alarm nextLook = new Alarm(null, Runnable::run, this::look);

    LastReads(OioSocketChannel channel) {
        this.channel = channel;
    }

    void begin() {
        nextLook.set(TimeUnit.MILLISECONDS.toNanos(BrokenOutput.LOOK_MILLIS));
    }

    void onRead() {
        output.onRead();
    }

    /** Called when the channel has closed. */
    void end() {
        nextLook.cancel();
    }

    private void look() {
        if (channel.isClosing()) {
            return;
        }
        if (output.isOver()) {
            channel.closeNow(CloseReason.of(CloseReason.Kind.PEER_RESET));
        } else {
            begin();
        }
    }
}
