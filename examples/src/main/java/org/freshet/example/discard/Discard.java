package org.freshet.example.discard;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.example.Arguments;

/** Server and client in one program, over loopback. */
public final class Discard {
    private Discard() {}

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments("discard [MEBIBYTES]", 0, 1, args);
        int mebibytes =
                arguments.number(0, "mebibytes", 1, DiscardClient.MAX_MEBIBYTES, DiscardClient.DEFAULT_MEBIBYTES);
        System.out.println(
                "discard: a client that fills its connection with " + mebibytes + " MiB, but never its memory:");
        System.out.println("it only writes while isWritable() is true");
        CompletableFuture<Long> discarded = new CompletableFuture<>();
        ServerBootstrap bootstrap = DiscardServer.newBootstrap(discarded::complete);
        boolean ok;
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            ok = DiscardClient.run((InetSocketAddress) server.getLocalAddress(), mebibytes)
                    && allArrived(discarded, mebibytes * 1024L * 1024);
        } finally {
            bootstrap.releaseExternalResources();
        }
        System.exit(ok ? 0 : 1);
    }

    private static boolean allArrived(CompletableFuture<Long> discarded, long expected) throws InterruptedException {
        try {
            long arrived = discarded.get(10, TimeUnit.SECONDS);
            System.out.println(arrived + " of " + expected + " bytes discarded by the server");
            return arrived == expected;
        } catch (TimeoutException | ExecutionException e) {
            System.err.println("failed: the server has not seen the end of the connection");
            return false;
        }
    }
}
