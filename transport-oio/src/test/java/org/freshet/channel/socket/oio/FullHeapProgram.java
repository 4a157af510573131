package org.freshet.channel.socket.oio;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * A client whose I/O thread begins while the heap is full. Injected errors can't show this: the JVM itself needs memory
 * for code that runs for the first time.
 */
final class FullHeapProgram {
    private static final long FULL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long PATIENCE_MILLIS = TimeUnit.SECONDS.toMillis(10);
    private static final int BLOCK_BYTES = 64 * 1024;

    private static volatile Block blocks;

    /** The life of the I/O thread. */
    private static volatile Runnable life;

    private static volatile boolean isFull;

    private record Block(Block next, byte[] bytes) {}

    private FullHeapProgram() {}

    public static void main(String[] args) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ServerSocket server = new ServerSocket(0, 1, loopback); // accepts nothing
        Thread thread = daemon(FullHeapProgram::liveOnceFull);
        thread.start();
        Executor executor = begun -> life = begun;
        OioClientSocketChannelFactory factory = new OioClientSocketChannelFactory(executor);
        Thread release = daemon(factory::releaseExternalResources);
        Channel channel = factory.newChannel(Channels.pipeline(new SimpleChannelUpstreamHandler()));
        channel.connect(new InetSocketAddress(loopback, server.getLocalPort()));
        fillHeap();
        isFull = true;
        keepFull();
        releaseHeap();
        channel.close();
        thread.join(PATIENCE_MILLIS);
        release.start();
        release.join(PATIENCE_MILLIS);
        System.out.println("ended=" + !thread.isAlive() + " closed="
                + channel.getCloseFuture().isDone() + " released=" + !release.isAlive());
        System.exit(0);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    private static void liveOnceFull() {
        while (!isFull) {
            Thread.onSpinWait();
        }
        life.run();
    }

    static void fillHeap() {
        for (int bytes = BLOCK_BYTES; bytes >= 16; bytes /= 4) {
            fillWith(bytes);
        }
        fillWith(0);
    }

    private static void fillWith(int bytes) {
        try {
            while (true) {
                blocks = new Block(blocks, new byte[bytes]);
            }
        } catch (OutOfMemoryError e) {
            return; // smaller ones may still fit
        }
    }

    static void releaseHeap() {
        blocks = null;
    }

    /** Other threads release a little now and then. */
    static void keepFull() {
        long endNanos = System.nanoTime() + FULL_NANOS;
        while (System.nanoTime() - endNanos < 0) {
            fillWith(0);
        }
    }
}
