package org.freshet.microbench.compare.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** The request for a file, and the file that must be the answer. */
public final class FileDialect {
    /** The name of the file, and the request's path after its slash. */
    public static final String NAME = "file.bin";

    /** The type of the file. */
    public static final String CONTENT_TYPE = "application/octet-stream";

    private static final long SEED = 10_485_760;

    private FileDialect() {}

    static byte[] request() {
        return ("GET /" + NAME + " HTTP/1.1\r\nHost: localhost:8080\r\nAccept: */*\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        new Random(SEED).nextBytes(content);
        return content;
    }

    /** Creates the file in an empty directory. */
    public static Path writeTo(Path directory, int bytes) throws IOException {
        return Files.write(directory.resolve(NAME), content(bytes));
    }
}
