package org.freshet.handler.codec.http.server.files;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.freshet.testing.Await;

/** Finds which files below a directory this process has open, on systems that report it. */
public final class OpenFiles {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private OpenFiles() {}

    public static void assumeKnown() {
        assumeTrue(Files.isDirectory(DESCRIPTORS), "the system does not report open files");
    }

    public static List<Path> below(Path directory) {
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            Path real = directory.toRealPath();
            return descriptors
                    .map(OpenFiles::target)
                    .filter(path -> path.startsWith(real))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError("cannot list open files", e);
        }
    }

    private static Path target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (IOException e) {
            return Path.of(""); // closed since the listing, like the descriptor of the listing itself
        }
    }

    public static void awaitNone(Path directory) {
        Await.until(() -> below(directory).isEmpty(), () -> "the end of open files: " + below(directory));
    }
}
