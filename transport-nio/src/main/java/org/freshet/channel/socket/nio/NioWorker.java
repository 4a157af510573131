package org.freshet.channel.socket.nio;

import java.util.IdentityHashMap;
import java.util.Map;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.channel.socket.nio.receive.StreamReceiver;
import org.freshet.channel.socket.nio.send.StreamSender;

/**
 * The loop that reads and writes TCP connections.
 *
 * <p>Any thread may call {@link #executeInIoThread(Runnable)} and {@link #rebuildSelector()}; everything else happens
 * on the loop.
 */
public final class NioWorker extends WorkerLoop {
    private final StreamReceiver receiver = new StreamReceiver(counters());
    private final StreamSender sender = new StreamSender(counters());

    /** Loop only. The connects in progress. There are never many, so this saves each connection a field. */
    private final Map<NioStreamChannel, PendingConnect> connecting = new IdentityHashMap<>();

    /** Loop only. The memory on loan while a read is handled; null at other times. */
    private ReadLoan loan;

    NioWorker(Platform platform) {
        super(platform);
    }

    StreamReceiver receiver() {
        assert inLoop();
        return receiver;
    }

    StreamSender sender() {
        assert inLoop();
        return sender;
    }

    /** Called when a loan begins, and with null when it ends. */
    void onLoan(ReadLoan next) {
        assert inLoop();
        assert loan == null || next == null : "a read within a read";
        loan = next;
    }

    void onConnecting(NioStreamChannel channel, PendingConnect attempt) {
        assert inLoop();
        connecting.put(channel, attempt);
    }

    void onConnectEnded(NioStreamChannel channel) {
        assert inLoop();
        connecting.remove(channel);
    }

    /** Gives up a connect. The channel is notified of its end later. */
    void abandonConnect(NioStreamChannel channel) {
        assert inLoop();
        connecting.get(channel).abandon();
    }

    @Override
    LoopRole role() {
        return LoopRole.WORKER;
    }
}
