package org.freshet.example.discard;

import java.net.InetSocketAddress;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.example.Arguments;

/** Sends bytes to a discard server, and shows the progress and the rate. */
public final class DiscardClient {
    static final int DEFAULT_MEBIBYTES = 1024;
    static final int MAX_MEBIBYTES = 1_000_000;

    private DiscardClient() {}

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments("discard-client HOST PORT [MEBIBYTES]", 2, 3, args);
        InetSocketAddress server = new InetSocketAddress(arguments.text(0), arguments.port(1, 0));
        if (server.isUnresolved()) {
            throw arguments.refuse("unknown host: " + arguments.text(0));
        }
        boolean ok = run(server, arguments.number(2, "mebibytes", 1, MAX_MEBIBYTES, DEFAULT_MEBIBYTES));
        System.exit(ok ? 0 : 1);
    }

    /** Returns whether all bytes were sent. */
    static boolean run(InetSocketAddress server, int mebibytes) throws InterruptedException {
        DiscardClientHandler handler = new DiscardClientHandler(mebibytes * 1024L * 1024);
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(handler));
        try {
            bootstrap.connect(server); // if it fails, the handler is notified
            return awaitSent(handler, mebibytes);
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    private static boolean awaitSent(DiscardClientHandler handler, int mebibytes) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (true) {
            try {
                handler.sent().get(500, TimeUnit.MILLISECONDS);
                double seconds = (System.nanoTime() - startNanos) / 1e9;
                System.out.printf(
                        "%d MiB sent in %.2f s: %.0f MiB/s; at most %d KiB were waiting%n",
                        mebibytes, seconds, mebibytes / seconds, handler.mostWaitingBytes() / 1024);
                return true;
            } catch (TimeoutException e) {
                System.out.printf("%5.1f %% sent%n", handler.sentBytes() * 100.0 / (mebibytes * 1024.0 * 1024));
            } catch (ExecutionException e) {
                System.err.println("failed: " + e.getCause());
                return false;
            }
        }
    }
}
