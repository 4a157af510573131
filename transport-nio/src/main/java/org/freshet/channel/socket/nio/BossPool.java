package org.freshet.channel.socket.nio;

/** The boss loops of a channel factory. */
public interface BossPool<E extends Boss> extends NioSelectorPool {
    /** Returns the boss for the next channel, in round-robin order. */
    E nextBoss();
}
