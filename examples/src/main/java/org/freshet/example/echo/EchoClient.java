package org.freshet.example.echo;

import java.net.InetSocketAddress;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.example.Arguments;

/** Sends bytes to an echo server, shows the progress, verifies every byte, and prints the rate. */
public final class EchoClient {
    static final int DEFAULT_MEBIBYTES = 512;
    static final int MAX_MEBIBYTES = 1_000_000;

    private EchoClient() {}

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments("echo-client HOST PORT [MEBIBYTES]", 2, 3, args);
        InetSocketAddress server = new InetSocketAddress(arguments.text(0), arguments.port(1, 0));
        if (server.isUnresolved()) {
            throw arguments.refuse("unknown host: " + arguments.text(0));
        }
        boolean ok = run(server, arguments.number(2, "mebibytes", 1, MAX_MEBIBYTES, DEFAULT_MEBIBYTES));
        System.exit(ok ? 0 : 1);
    }

    /** Returns whether every byte came back. */
    static boolean run(InetSocketAddress server, int mebibytes) throws InterruptedException {
        EchoClientHandler handler = new EchoClientHandler(mebibytes * 1024L * 1024);
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(handler));
        bootstrap.setOption("tcpNoDelay", true);
        try {
            ChannelFuture connected = bootstrap.connect(server).await();
            if (!connected.isSuccess()) {
                System.err.println("cannot connect: " + connected.getCause().getMessage());
                return false;
            }
            return awaitVerified(handler, mebibytes);
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    private static boolean awaitVerified(EchoClientHandler handler, int mebibytes) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (true) {
            try {
                handler.verified().get(500, TimeUnit.MILLISECONDS);
                double seconds = (System.nanoTime() - startNanos) / 1e9;
                System.out.printf(
                        "%d MiB echoed and verified in %.2f s: %.0f MiB/s%n", mebibytes, seconds, mebibytes / seconds);
                return true;
            } catch (TimeoutException e) {
                System.out.printf("%5.1f %% verified%n", handler.verifiedBytes() * 100.0 / (mebibytes * 1024.0 * 1024));
            } catch (ExecutionException e) {
                System.err.println("failed: " + e.getCause());
                return false;
            }
        }
    }
}
