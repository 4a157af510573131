package org.freshet.channel.socket.nio;

import org.freshet.channel.socket.nio.loop.LoopChannel;

/** The attachment of a {@link NioClientBoss}'s key: a socket being connected. All methods run on the boss. */
interface BossKey extends LoopChannel {
    /** Called when the kernel has finished connecting the socket, successfully or not. */
    void onConnectable();
}
