package org.freshet.example.echo;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.example.Arguments;

/** Server and client in one program, over loopback. */
public final class Echo {
    private Echo() {}

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments("echo [MEBIBYTES]", 0, 1, args);
        int mebibytes = arguments.number(0, "mebibytes", 1, EchoClient.MAX_MEBIBYTES, EchoClient.DEFAULT_MEBIBYTES);
        ServerBootstrap bootstrap = EchoServer.newBootstrap();
        boolean ok;
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            System.out.println("echo: " + mebibytes + " MiB go to a server on " + server.getLocalAddress()
                    + ", come back, and are verified");
            ok = EchoClient.run((InetSocketAddress) server.getLocalAddress(), mebibytes);
        } finally {
            bootstrap.releaseExternalResources();
        }
        System.exit(ok ? 0 : 1);
    }
}
