package org.freshet.example.httpservice;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.freshet.channel.Channel;
import org.freshet.example.Arguments;

/** Server and client in one program, over loopback. The client is the JDK's. */
public final class HttpServiceCheck {
    private final HttpClient client = HttpClient.newHttpClient();
    private final String root;
    private int wrong;

    private HttpServiceCheck(Channel server) {
        root = "http://localhost:" + ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    public static void main(String[] args) throws Exception {
        new Arguments("http-service", 0, 0, args);
        System.out.println("http-service: a service with limits, time-outs, compression and an access log");
        HttpServiceCheck check;
        try (HttpService service = new HttpService()) {
            check = new HttpServiceCheck(service.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            check.expect("/greeting?name=Ann&name=Bob", "", 200);
            check.expect("/health", "", 200);
            check.expect("/nothing", "", 404);
            check.expect("/health", "x", 405);
            check.expect("/greeting", "x".repeat(100_000), 413);
            check.expect("/health", "", 200);
        }
        System.out.println(check.wrong + " of 6 answers are wrong" + (check.wrong == 0 ? ": right" : ""));
        System.exit(check.wrong == 0 ? 0 : 1);
    }

    private void expect(String target, String content, int status) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + target));
        if (!content.isEmpty()) {
            request.POST(HttpRequest.BodyPublishers.ofString(content));
        }
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        System.out.println(
                target + ": " + response.statusCode() + ", \"" + response.body().strip() + "\"");
        wrong += response.statusCode() == status ? 0 : 1;
    }
}
