package org.freshet.channel.socket.nio;

import org.freshet.channel.socket.nio.loop.LoopChannel;

/** What a {@link NioClientBoss} registers: a socket that is being connected. All methods run on the boss. */
interface BossKey extends LoopChannel {
    /** The kernel knows whether the socket is connected. */
    void onConnectable();
}
