package org.freshet.channel.socket;

public interface Worker extends Runnable {
    void executeInIoThread(Runnable task);
}
