package org.freshet.example.buffersize;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.freshet.example.Arguments;

/** Server and client in one program. */
public final class BufferSize {
    private BufferSize() {}

    public static void main(String[] args) throws Exception {
        AnswerFormat format = AnswerFormat.chosenBy(args);
        Arguments arguments = new Arguments("buffer-size [--raw] [REQUESTS [DIRECTORY]]", 0, 2, format.rest(args));
        int requests = arguments.number(0, "requests", 1, 100_000, BufferSizeClient.DEFAULT_REQUESTS);
        Path directory = BufferSizeClient.directory(arguments, 1);
        System.out.println(
                "buffer-size: how the size of a receive buffer, set over JMX while the server runs, changes requests of "
                        + BufferSizeClient.MESSAGE_BYTES + " bytes");
        int jmxPort = freePort();
        try (BufferSizeServer server = BufferSizeServer.start(0, jmxPort, format)) {
            BufferSizeClient.run(server.port(), jmxPort, requests, directory, format);
        }
        System.exit(0); // RMI's threads keep running
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }
}
