package org.freshet.channel.socket.nio;

import java.nio.channels.SelectionKey;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;

/** The loop that accepts connections, for one or more server channels, and hands them to workers in rotation. */
public final class NioServerBoss extends NioLoop implements Boss {
    NioServerBoss(Platform platform) {
        super(platform);
    }

    @Override
    LoopRole role() {
        return LoopRole.SERVER_BOSS;
    }

    @Override
    void onReady(SelectionKey key) {
        ((NioListener) key.attachment()).onAcceptable();
    }
}
