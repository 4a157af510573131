package org.freshet.channel.socket.nio;

import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.channel.socket.nio.receive.DatagramReceiver;

/**
 * The loop that receives and sends datagrams.
 *
 * <p>Any thread may call {@link #executeInIoThread(Runnable)} and {@link #rebuildSelector()}; everything else happens
 * on the loop.
 */
public final class NioDatagramWorker extends WorkerLoop {
    private final DatagramReceiver receiver = new DatagramReceiver(counters());
    private final DatagramSender sender = new DatagramSender(counters());

    NioDatagramWorker(Platform platform) {
        super(platform);
    }

    DatagramReceiver receiver() {
        assert inLoop();
        return receiver;
    }

    DatagramSender sender() {
        assert inLoop();
        return sender;
    }

    @Override
    LoopRole role() {
        return LoopRole.DATAGRAM_WORKER;
    }
}
