package org.freshet.handler.ssl;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.internal.handler.ReadSuspension;

/**
 * Suspends reading while the engine's tasks run on another thread and much has been received meanwhile. I/O thread only, except
 * where noted.
 */
final class BusyReading {
    private static final int MAX_UNREAD_BYTES = 64 * 1024;

    /** Null unless tasks may run on another thread. Set before anything is received. */
    private volatile ReadSuspension suspension;

    private boolean suspended;

    /** In a step, when the channel is connected. */
    void enable(ChannelHandlerContext ctx) {
        if (suspension == null) {
            suspension = ReadSuspension.at(ctx);
        }
    }

    /** Any thread. Registers a user's request to suspend or resume reading. Returns false if the event is not such a request. */
    boolean takeRequest(ChannelEvent e) {
        ReadSuspension enabled = suspension;
        if (enabled == null || !ReadSuspension.isReadRequest(e)) {
            return false;
        }
        enabled.request((ChannelStateEvent) e);
        return true;
    }

    /** Suspends reading if too many bytes can't be decrypted yet. */
    void limit(int unreadBytes) {
        if (unreadBytes > MAX_UNREAD_BYTES && suspension != null && !suspended) {
            suspended = true;
            suspension.suspend();
        }
    }

    void resume() {
        if (suspended) {
            suspended = false;
            suspension.resume();
        }
    }
}
