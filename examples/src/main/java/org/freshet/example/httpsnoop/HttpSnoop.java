package org.freshet.example.httpsnoop;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.example.Arguments;

/** Server and client in one program, over loopback. */
public final class HttpSnoop {
    private HttpSnoop() {}

    public static void main(String[] args) throws InterruptedException {
        new Arguments("http-snoop", 0, 0, args);
        System.out.println(
                "http-snoop: a server that answers with the parts of the request: parameters, headers, cookies,");
        System.out.println("content, trailers; and a client that shows the parts of the answers");
        ServerBootstrap bootstrap = HttpSnoopServer.newBootstrap();
        boolean ok;
        try {
            Channel channel = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            InetSocketAddress server = (InetSocketAddress) channel.getLocalAddress();
            URI url = URI.create("http://localhost:" + server.getPort() + "/a%20path?name=value&name=other&empty");
            ok = HttpSnoopClient.converse(url, server);
        } finally {
            bootstrap.releaseExternalResources();
        }
        System.out.println(ok ? "both requests are answered: right" : "wrong");
        System.exit(ok ? 0 : 1);
    }
}
