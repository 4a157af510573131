package org.freshet.example.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLException;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.example.Arguments;
import org.freshet.example.httphello.HttpHelloServer;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** A web server, a proxy and a client in one program, over loopback. */
public final class HttpProxy {
    private static final List<String> SCHEMES = List.of("http", "socks4", "socks5");

    private HttpProxy() {}

    public static void main(String[] args) throws InterruptedException, SSLException {
        new Arguments("http-proxy", 0, 0, args);
        System.out.println("http-proxy: one port for CONNECT, SOCKS 4a and 5; a client requests a web page through it");
        Timer timer = new HashedWheelTimer();
        ServerBootstrap web = HttpHelloServer.newBootstrap(timer);
        ProxyServer open = new ProxyServer(TargetRules.ANY);
        ProxyServer careful = new ProxyServer(TargetRules.PUBLIC);
        HttpProxyClient client = new HttpProxyClient();
        boolean ok;
        try {
            Channel server = web.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            URI page = URI.create("http://localhost:" + port + "/");
            ok = allAnswered(client, open.bind(0), page) & allRefused(client, careful.bind(0), page);
        } finally {
            client.close();
            careful.close();
            open.close();
            web.releaseExternalResources();
            timer.stop();
        }
        System.out.println("every protocol gets the page, and none bypasses the rules: " + (ok ? "right" : "wrong"));
        System.exit(ok ? 0 : 1);
    }

    private static boolean allAnswered(HttpProxyClient client, InetSocketAddress proxy, URI page)
            throws InterruptedException, SSLException {
        boolean ok = true;
        for (String scheme : SCHEMES) {
            URI way = URI.create(scheme + "://" + proxy.getAddress().getHostAddress() + ":" + proxy.getPort());
            System.out.println("as curl --proxy "
                    + way.toString().replace("socks4", "socks4a").replace("socks5", "socks5h")
                    + (scheme.equals("http") ? " --proxytunnel " : " ") + page);
            try {
                HttpResponse response = client.get(way, page);
                System.out.println("  " + response.getStatus());
                ok &= response.getStatus().equals(HttpResponseStatus.OK);
            } catch (ExecutionException e) {
                System.out.println("  " + e.getCause());
                ok = false;
            }
        }
        return ok;
    }

    private static boolean allRefused(HttpProxyClient client, InetSocketAddress proxy, URI page)
            throws InterruptedException, SSLException {
        boolean ok = true;
        for (String scheme : SCHEMES) {
            URI way = URI.create(scheme + "://" + proxy.getAddress().getHostAddress() + ":" + proxy.getPort());
            try {
                System.out.println("  " + client.get(way, page).getStatus());
                ok = false;
            } catch (ExecutionException e) {
                System.out.println("  " + e.getCause().getMessage());
            }
        }
        return ok;
    }
}
