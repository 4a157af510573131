package org.freshet.channel.socket.nio;

/** The boss loops of a channel factory. */
public interface BossPool<E extends Boss> extends NioSelectorPool {
    /** The boss for the next channel, round robin. */
    E nextBoss();
}
