package org.freshet.channel.socket.nio;

import java.nio.channels.SelectionKey;
import org.freshet.channel.socket.nio.loop.Platform;

/** The loop that accepts connections, for one or more server channels, and hands them to workers in rotation. */
public final class NioServerBoss extends NioLoop implements Boss {
    NioServerBoss(Platform platform) {
        super(platform);
    }

    @Override
    LoopPool.Role role() {
        return LoopPool.Role.SERVER_BOSS;
    }

    @Override
    void onReady(SelectionKey key) {
        ((NioServerSocketChannel) key.attachment()).onAcceptable();
    }
}
