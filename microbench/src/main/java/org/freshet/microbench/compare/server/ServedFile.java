package org.freshet.microbench.compare.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.freshet.microbench.compare.load.FileDialect;

/** A server's file, in a new directory that {@link #close} deletes. */
record ServedFile(Path directory, Path path) implements AutoCloseable {
    static ServedFile of(Assignment assignment) {
        try {
            Path directory = Files.createTempDirectory("freshet-bench");
            directory.toFile().deleteOnExit();
            Path path = FileDialect.writeTo(directory, assignment.number("size"));
            path.toFile().deleteOnExit(); // registered after the directory, so deleted before it
            return new ServedFile(directory, path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the file to serve", e);
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(path);
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path, e);
        }
    }
}
