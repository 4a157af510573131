package org.freshet.example.httphello;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** Server and client in one program, over loopback. */
public final class HttpHello {
    /** Longer than the limit for all headers of a request. */
    private static final String TOO_LONG = "x".repeat(9000);

    /**
     * A request and its expected answer.
     *
     * @param cookie empty for none
     */
    private record Exchange(
            HttpMethod method, String target, String cookie, String content, int status, String answer) {}

    private static final List<Exchange> EXCHANGES = List.of(
            new Exchange(HttpMethod.GET, "/", "", "", 200, "Hello, world!\n"),
            new Exchange(HttpMethod.HEAD, "/", "", "", 200, ""),
            new Exchange(HttpMethod.GET, "/nothing", "", "", 404, "Nothing is here.\n"),
            new Exchange(HttpMethod.POST, "/", "", "content", 405, "Try GET.\n"),
            new Exchange(HttpMethod.GET, "/?again", "a=b", "", 200, "Hello, world!\n"),
            new Exchange(HttpMethod.GET, "/", TOO_LONG, "", 431, null));

    private HttpHello() {}

    public static void main(String[] args) throws InterruptedException {
        new Arguments("http-hello", 0, 0, args);
        System.out.println(
                "http-hello: a server that keeps connections open, answers HEAD and bad requests, and resists floods;");
        System.out.println("a client sends all requests before the first answer arrives, and checks each answer");
        Timer timer = new HashedWheelTimer();
        ServerBootstrap bootstrap = HttpHelloServer.newBootstrap(timer);
        boolean ok;
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (HttpHelloClient client = new HttpHelloClient((InetSocketAddress) server.getLocalAddress())) {
                ok = converse(client);
            }
        } finally {
            bootstrap.releaseExternalResources();
            timer.stop();
        }
        System.exit(ok ? 0 : 1);
    }

    private static boolean converse(HttpHelloClient client) throws InterruptedException {
        for (Exchange exchange : EXCHANGES) {
            HttpRequest request = client.newRequest(exchange.method, exchange.target, exchange.content);
            if (!exchange.cookie.isEmpty()) {
                request.headers().set("Cookie", exchange.cookie);
            }
            client.send(request);
        }
        int right = 0;
        for (Exchange exchange : EXCHANGES) {
            right += isRight(exchange, client.nextAnswer()) ? 1 : 0;
        }
        boolean closed = client.awaitClosed();
        boolean ok = closed && right == EXCHANGES.size();
        System.out.println(right + " of " + EXCHANGES.size() + " answers are right, and the connection is "
                + (closed ? "closed" : "open") + " after the last: " + (ok ? "right" : "wrong"));
        return ok;
    }

    private static boolean isRight(Exchange exchange, Optional<HttpResponse> answer) {
        String request = exchange.method + " " + exchange.target;
        if (answer.isEmpty()) {
            System.out.println(request + ": no answer");
            return false;
        }
        HttpResponse response = answer.get();
        String content = response.getContent().toString(StandardCharsets.UTF_8);
        System.out.println(request + ": " + response.getStatus() + ", \"" + content.strip() + "\"");
        return response.getStatus().getCode() == exchange.status
                && (exchange.answer == null || exchange.answer.equals(content));
    }
}
