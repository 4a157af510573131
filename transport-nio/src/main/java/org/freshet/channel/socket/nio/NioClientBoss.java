package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;

/** The loop that waits for connects to finish and then hands each connection to its worker. */
public final class NioClientBoss extends NioLoop implements Boss {
    NioClientBoss(Platform platform) {
        super(platform);
    }

    @Override
    LoopRole role() {
        return LoopRole.CLIENT_BOSS;
    }

    @Override
    void onReady(SelectionKey key) throws IOException {
        ((BossKey) key.attachment()).onConnectable();
    }
}
