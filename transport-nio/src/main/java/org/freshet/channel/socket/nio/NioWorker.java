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
 * <p>{@link #executeInIoThread(Runnable)} and {@link #rebuildSelector()} may be called from any thread; everything else happens on the
 * loop.
 */
public final class NioWorker extends WorkerLoop {
    private final StreamReceiver receiver = new StreamReceiver(counters());
    private final StreamSender sender = new StreamSender(counters());

    /** Loop only. The connects under way: few at any time, so the many connections need no field for them. */
    private final Map<NioStreamChannel, PendingConnect> connecting = new IdentityHashMap<>();

    /** Loop only. What is lent while a read is handled; null at other times. */
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

    /** A loan begins, or ends: then null. */
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

    /** Gives a connect up; the channel is notified of its end later. */
    void abandonConnect(NioStreamChannel channel) {
        assert inLoop();
        connecting.get(channel).abandon();
    }

    @Override
    LoopRole role() {
        return LoopRole.WORKER;
    }
}
