package org.freshet.handler.codec.http.server.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.server.Connection.content;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Queue;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.internal.HttpDates;
import org.freshet.handler.codec.http.server.Connection;
import org.freshet.handler.codec.http.server.TextClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A folder of files on an in-memory channel, to which larger files are sent as chunks; an HTTP/2 stream takes file regions. */
abstract class ServedFolder {
    /** Far in the past, so that validators are strong. */
    static final Instant MODIFIED = Instant.parse("2026-01-02T03:04:05.600Z");

    static final String LAST_MODIFIED = HttpDates.format(MODIFIED.toEpochMilli());
    static final String TEXT = "0123456789".repeat(10);
    static final int LARGE = 100_000;

    @TempDir
    Path folder;

    Path root;

    final TextClient.Wire wire;

    ServedFolder(TextClient.Wire wire) {
        this.wire = wire;
    }

    @BeforeEach
    void makeFiles() throws IOException {
        root = Files.createDirectories(folder.resolve("root"));
        write("a.txt", TEXT);
        write("index.html", "<p>top");
        write("empty", "");
        write("docs/index.html", "<p>docs");
        write("docs/a b.css", "p {}");
        write("no-index/x", "x");
        write(".secret", "secret");
        write(".git/config", "secret");
        write("large.bin", "x".repeat(LARGE));
        write("../outside.txt", "secret");
        write("../root-like/x.txt", "secret");
    }

    Path write(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content, ISO_8859_1);
        return Files.setLastModifiedTime(file, FileTime.from(MODIFIED));
    }

    Connection connect(StaticFiles.Builder files) {
        return new Connection(wire, () -> new ChannelHandler[] {new StaticFileHandler(files.build())});
    }

    Connection connect() {
        return connect(StaticFiles.under(root));
    }

    /** A connection that was sent the beginning of a file, and then becomes unwritable. */
    Connection begun(String file, Queue<Runnable> tasks) {
        Connection connection = connect(StaticFiles.under(root).executor(tasks::add));
        connection.request("GET", "/" + file);
        connection.client.transport().turnWritable(false);
        tasks.remove().run();
        return connection;
    }

    static void truncate(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(10);
        }
    }

    String get(String target, String... headers) {
        return connect().request("GET", target, headers);
    }

    void link(String name, Path target) throws IOException {
        try {
            Files.createSymbolicLink(root.resolve(name), target);
        } catch (UnsupportedOperationException e) {
            assumeTrue(false, "no symbolic links here");
        }
    }
}
