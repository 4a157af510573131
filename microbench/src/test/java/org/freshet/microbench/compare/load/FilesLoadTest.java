package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.junit.jupiter.api.Test;

/**
 * The file load must detect every way in which a server can answer wrongly; one blocking connection plays the server.
 */
class FilesLoadTest {
    private static final int BYTES = 100_000;
    private static final Load LOAD = new Load(1, BYTES, 1, 0);

    @Test
    void shouldCountEveryAnswerWhateverItsDate() throws Exception {
        try (OneConnectionServer server = answering("200 OK", BYTES, FileDialect.content(BYTES));
                LoadGenerator generator = LoadGenerator.ofFiles(server.port(), LOAD)) {
            assertEquals(1, generator.connect().messages());
            assertEquals(
                    50, generator.run(50, Duration.ofSeconds(30), done -> {}).messages());
        }
    }

    @Test
    void shouldRefuseAnotherStatusOrLength() throws Exception {
        assertFails("unexpected answer", "404 Not Found", BYTES, FileDialect.content(BYTES));
        assertFails("unexpected answer", "200 OK", BYTES - 1, FileDialect.content(BYTES - 1));
    }

    @Test
    void shouldDetectAByteThatDiffers() throws Exception {
        byte[] content = FileDialect.content(BYTES);
        content[70_000]++;
        assertFails("byte 70000 differs", "200 OK", BYTES, content);
    }

    private static void assertFails(String part, String status, int length, byte[] content) throws Exception {
        try (OneConnectionServer server = answering(status, length, content);
                LoadGenerator generator = LoadGenerator.ofFiles(server.port(), LOAD)) {
            IOException failure = assertThrows(IOException.class, generator::connect);
            assertTrue(failure.getMessage().contains(part), failure::toString);
        }
    }

    private static OneConnectionServer answering(String status, int length, byte[] content) throws IOException {
        int[] requests = {0};
        return new OneConnectionServer((in, out) -> {
            while (in.readNBytes(FileDialect.request().length).length > 0) {
                String head = "HTTP/1.1 " + status + "\r\nDate: " + requests[0]++ + "\r\nContent-Length: " + length
                        + "\r\n\r\n";
                out.write(head.getBytes(StandardCharsets.US_ASCII));
                out.write(content);
            }
        });
    }
}
