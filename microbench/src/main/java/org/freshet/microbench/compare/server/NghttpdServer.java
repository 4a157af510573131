package org.freshet.microbench.compare.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.microbench.compare.load.HttpDialect;

/**
 * The server of nghttp2, an installed program, with one thread. It opens a file for each request, and sends more fields
 * than the others. Without TLS.
 */
final class NghttpdServer implements PeerServer {
    private static final String PROGRAM = "nghttpd";
    private static final int MAX_START_SECONDS = 10;

    private final Assignment assignment;
    private Path directory;
    private Process process;

    NghttpdServer(Assignment assignment) {
        this.assignment = assignment;
    }

    static boolean isInstalled() {
        String path = System.getenv("PATH");
        return path != null
                && Arrays.stream(path.split(":")).anyMatch(each -> Files.isExecutable(Path.of(each, PROGRAM)));
    }

    @Override
    public int start() throws IOException, InterruptedException {
        directory = Files.createTempDirectory("freshet-nghttpd");
        directory.toFile().deleteOnExit();
        write(HttpDialect.HTTP2_PATH.substring(1), HttpDialect.content(assignment.number("answer")));
        Path types = write("types", (HttpDialect.CONTENT_TYPE + " txt\n").getBytes(StandardCharsets.US_ASCII));
        int port = freePort();
        InetSocketAddress address =
                new InetSocketAddress(Servers.anyLoopbackPort().getAddress(), port);
        process = new ProcessBuilder(List.of(
                        PROGRAM,
                        "--no-tls",
                        "--address=" + address.getAddress().getHostAddress(),
                        "--htdocs=" + directory,
                        "--mime-types-file=" + types,
                        Integer.toString(port)))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        awaitListening(address);
        return port;
    }

    private Path write(String name, byte[] content) throws IOException {
        Path file = Files.write(directory.resolve(name), content);
        file.toFile().deleteOnExit(); // registered after its directory, so deleted before it
        return file;
    }

    /** nghttpd cannot choose a port itself. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(Servers.anyLoopbackPort());
            return socket.getLocalPort();
        }
    }

    private void awaitListening(InetSocketAddress address) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_START_SECONDS);
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(address);
                return;
            } catch (IOException e) {
                if (process.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                    throw new IOException(PROGRAM + " does not listen on " + address, e);
                }
            }
        }
    }

    @Override
    public Usage usage() {
        return Usage.of(process.pid());
    }

    @Override
    public void close() {
        process.destroy();
    }
}
