package org.freshet.example.http2;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.example.Arguments;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** A server for HTTP/1.1 and HTTP/2 on one port, and a client for each, over loopback. */
public final class Http2Hello {
    private Http2Hello() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Arguments arguments = new Arguments("http2-hello [REQUESTS]", 0, 1, args);
        int requests = arguments.number(0, "REQUESTS", 1, Http2Client.MAX_REQUESTS, Http2Client.DEFAULT_REQUESTS);
        System.out.println("http2-hello: one port, one handler, two protocols");
        Timer timer = new HashedWheelTimer();
        ServerBootstrap bootstrap = Http2HelloServer.newBootstrap(timer, null);
        boolean ok;
        try {
            InetSocketAddress server = (InetSocketAddress) bootstrap
                    .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .getLocalAddress();
            ok = askByHttp1(server) & Http2Client.askManyTimes(server, requests);
        } finally {
            bootstrap.releaseExternalResources();
            timer.stop();
        }
        System.exit(ok ? 0 : 1);
    }

    private static boolean askByHttp1(InetSocketAddress server) throws IOException, InterruptedException {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        URI uri = URI.create("http://localhost:" + server.getPort() + "/");
        HttpResponse<String> answer = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        System.out.println("the JDK's client: " + answer.body().strip());
        return answer.body().equals("Hello over HTTP/1.1\n");
    }
}
