package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.Await;

/** Node's HTTP server as an oracle: which requests it sees in given bytes. Belongs to the test's thread. */
final class NodeReader implements AutoCloseable {
    /** The versions of node's parser whose differences are explained. */
    private static final String REVIEWED_PARSER = "9.";

    private final Process process;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(16);
    private final Set<String> methods;

    /** Skips the calling test if node is not installed, or has a parser that was not reviewed. */
    NodeReader() throws IOException, URISyntaxException {
        Path script = Path.of(NodeReader.class.getResource("requests.js").toURI());
        Process started = null;
        try {
            started = new ProcessBuilder("node", script.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "node is not installed: " + e.getMessage());
        }
        process = started;
        Thread reader = new Thread(this::readLines, "output of node");
        reader.setDaemon(true);
        reader.start();
        String parserVersion = nextLine();
        methods = new HashSet<>(Arrays.asList(nextLine().split(" ")));
        if (!parserVersion.startsWith(REVIEWED_PARSER)) {
            close();
            assumeTrue(false, "the differences to llhttp " + parserVersion + " were not reviewed");
        }
    }

    private void readLines() {
        try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.put(line);
            }
        } catch (IOException | InterruptedException e) {
            // The process was ended; the thread that waits for a line reports it.
        }
    }

    private String nextLine() {
        try {
            String line = lines.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("node did not answer, alive: " + process.isAlive());
            }
            return line;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for node", e);
        }
    }

    boolean knowsMethod(String method) {
        return methods.contains(method);
    }

    List<SeenRequest> read(byte[] connection) throws IOException {
        OutputStream input = process.getOutputStream();
        input.write((HexFormat.of().formatHex(connection) + "\n").getBytes(US_ASCII));
        input.flush();
        List<SeenRequest> seen = new ArrayList<>();
        for (String text : nextLine().split(" ")) {
            if (!text.isEmpty()) {
                seen.add(SeenRequest.parse(new String(HexFormat.of().parseHex(text), ISO_8859_1)));
            }
        }
        return seen;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
