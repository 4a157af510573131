package org.freshet.example.httpfiles;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.example.Arguments;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** Server and client in one program, over loopback. The client is the JDK's. */
public final class HttpFiles {
    private static final String PAGE = "<p>a line of a page\n".repeat(500);
    private static final int LARGE_BYTES = 5_000_000;

    /**
     * A request and its expected answer.
     *
     * @param header a name and a value, or empty
     */
    private record Exchange(String method, String target, List<String> header, int status, long bytes) {}

    private static final List<Exchange> EXCHANGES = List.of(
            new Exchange("GET", "/", List.of(), 200, PAGE.length()),
            new Exchange("GET", "/large.bin", List.of(), 200, LARGE_BYTES),
            new Exchange("GET", "/large.bin", List.of("Range", "bytes=-1000"), 206, 1000),
            new Exchange("GET", "/large.bin", List.of("Range", "bytes=9999999-"), 416, -1),
            new Exchange("HEAD", "/large.bin", List.of(), 200, 0),
            new Exchange("GET", "/large.bin", List.of("If-None-Match", "*"), 304, 0),
            new Exchange("GET", "/docs", List.of(), 301, -1),
            new Exchange("GET", "/nothing", List.of(), 404, -1),
            new Exchange("GET", "/.secret", List.of(), 404, -1),
            new Exchange("GET", "/docs/%2e%2e/.secret", List.of(), 400, -1),
            new Exchange("DELETE", "/index.html", List.of(), 405, -1));

    private HttpFiles() {}

    public static void main(String[] args) throws Exception {
        new Arguments("http-files", 0, 0, args);
        System.out.println("http-files: serves a directory; the JDK's client checks each answer");
        Path directory = Files.createTempDirectory("http-files");
        Timer timer = new HashedWheelTimer();
        boolean ok;
        try {
            makeFiles(directory);
            ServerBootstrap bootstrap =
                    HttpFilesServer.newBootstrap(directory, timer, line -> System.out.println("(log) " + line));
            try {
                Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                ok = converse((InetSocketAddress) server.getLocalAddress());
            } finally {
                bootstrap.releaseExternalResources();
            }
        } finally {
            timer.stop();
            delete(directory);
        }
        System.out.println("all answers and the size of the page are as expected: " + (ok ? "right" : "wrong"));
        System.exit(ok ? 0 : 1);
    }

    private static void makeFiles(Path directory) throws IOException {
        Files.writeString(directory.resolve("index.html"), PAGE);
        Files.write(directory.resolve("large.bin"), new byte[LARGE_BYTES]);
        Files.writeString(directory.resolve(".secret"), "secret");
        Path docs = Files.createDirectory(directory.resolve("docs"));
        Files.writeString(docs.resolve("index.html"), PAGE); // a directory without a page gives 404
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static boolean converse(InetSocketAddress server) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        String root = "http://localhost:" + server.getPort();
        boolean ok = true;
        for (Exchange exchange : EXCHANGES) {
            HttpResponse<byte[]> answer = send(client, root, exchange);
            boolean right = answer.statusCode() == exchange.status
                    && (exchange.bytes < 0 || answer.body().length == exchange.bytes);
            System.out.println(exchange.method + " " + exchange.target + " " + String.join(": ", exchange.header) + ": "
                    + answer.statusCode() + ", " + answer.body().length + " bytes" + (right ? "" : ": wrong"));
            ok &= right;
        }
        Exchange compressed = new Exchange("GET", "/", List.of("Accept-Encoding", "gzip"), 200, -1);
        int compressedBytes = send(client, root, compressed).body().length;
        System.out.println("the page has " + PAGE.getBytes(StandardCharsets.UTF_8).length + " bytes, compressed "
                + compressedBytes);
        return ok && compressedBytes < PAGE.length() / 10;
    }

    private static HttpResponse<byte[]> send(HttpClient client, String root, Exchange exchange) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + exchange.target))
                .method(exchange.method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(10));
        if (!exchange.header.isEmpty()) {
            request.header(exchange.header.get(0), exchange.header.get(1));
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }
}
