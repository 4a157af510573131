package org.freshet.handler.codec.http2;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.freshet.testing.Await;

/**
 * The JDK's client, for {@link Http2ClientMatrixTest}. Uses HTTP/2 over TLS: in plaintext it would request an upgrade
 * from HTTP/1.1.
 */
final class MatrixJdkClient implements MatrixClient {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final HttpClient client;

    MatrixJdkClient(HttpClient client) {
        this.client = client;
    }

    @Override
    public List<String> run(MatrixBehaviour behaviour, int port) throws Exception {
        String server = "https://localhost:" + port;
        client.send(get(server + "/small/first"), BodyHandlers.discarding()); // the others share its connection
        List<String> reports = new ArrayList<>();
        switch (behaviour) {
            case SLOW -> slow(server, behaviour.paths(), reports);
            case CANCEL -> cancel(server, behaviour.paths(), reports);
            case SMALL -> {
                List<byte[]> messages = IntStream.range(0, MatrixBehaviour.SMALL_MESSAGES)
                        .mapToObj(MatrixBehaviour::smallMessage)
                        .toList();
                HttpRequest request = HttpRequest.newBuilder(URI.create(server + "/echo"))
                        .POST(BodyPublishers.ofByteArrays(messages)) // each becomes a frame
                        .build();
                byte[] echoed = client.send(request, BodyHandlers.ofByteArray()).body();
                reports.add(MatrixService.report("/echo", echoed));
            }
            case DRAIN -> all(server, behaviour.paths(), reports);
        }
        if (behaviour.asksAfter()) {
            all(server, List.of(MatrixBehaviour.AFTER), reports);
        }
        return reports;
    }

    private static HttpRequest get(String url) {
        return HttpRequest.newBuilder(URI.create(url)).build();
    }

    private List<CompletableFuture<HttpResponse<byte[]>>> begin(String server, List<String> paths) {
        return paths.stream()
                .map(path -> client.sendAsync(get(server + path), BodyHandlers.ofByteArray()))
                .toList();
    }

    private static void finish(
            List<String> paths, List<CompletableFuture<HttpResponse<byte[]>>> answers, List<String> reports) {
        for (int i = 0; i < answers.size(); i++) {
            byte[] content = Await.result(answers.get(i), "the answer to " + paths.get(i))
                    .body();
            reports.add(MatrixService.report(paths.get(i), content));
        }
    }

    private void all(String server, List<String> paths, List<String> reports) {
        finish(paths, begin(server, paths), reports);
    }

    private HttpResponse<InputStream> open(String url) throws Exception {
        return client.send(get(url), BodyHandlers.ofInputStream());
    }

    private void slow(String server, List<String> paths, List<String> reports) throws Exception {
        List<String> others = paths.subList(1, paths.size());
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        try (InputStream big = open(server + paths.get(0)).body()) {
            List<CompletableFuture<HttpResponse<byte[]>>> answers = begin(server, others);
            byte[] piece = new byte[4096];
            for (int length = big.read(piece); length >= 0; length = big.read(piece)) {
                content.write(piece, 0, length);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            finish(others, answers, reports);
        }
        reports.add(MatrixService.report(paths.get(0), content.toByteArray()));
    }

    private void cancel(String server, List<String> paths, List<String> reports) throws Exception {
        List<CompletableFuture<HttpResponse<byte[]>>> answers = begin(server, paths);
        for (int i = 0; i < MatrixBehaviour.MANY; i++) {
            try (InputStream answer = open(server + MatrixBehaviour.CANCELLED).body()) {
                answer.readNBytes(100);
            }
        }
        finish(paths, answers, reports);
    }
}
