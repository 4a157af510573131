package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import org.freshet.channel.socket.nio.loop.Platform;

/** The loop that waits for connections to be made and then gives each to its worker. */
public final class NioClientBoss extends NioLoop implements Boss {
    NioClientBoss(Platform platform) {
        super(platform);
    }

    @Override
    LoopPool.Role role() {
        return LoopPool.Role.CLIENT_BOSS;
    }

    @Override
    void onReady(SelectionKey key) throws IOException {
        ((ConnectAttempt) key.attachment()).onConnectable();
    }
}
