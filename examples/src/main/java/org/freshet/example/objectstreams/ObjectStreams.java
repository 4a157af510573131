package org.freshet.example.objectstreams;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.freshet.example.Arguments;

/** Many plain clients in one thread: each sends an object, then each reads its answer, several times. */
public final class ObjectStreams {
    private static final int DEFAULT_CLIENTS = 350;
    private static final int ROUNDS = 32;

    private ObjectStreams() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments("object-streams [CLIENTS]", 0, 1, args);
        int count = arguments.number(0, "clients", 1, 20_000, DEFAULT_CLIENTS);
        System.out.println("object-streams: " + count + " clients with java.io's object streams, " + ROUNDS
                + " objects each way on each connection");
        List<PlainClient> clients = new ArrayList<>();
        boolean ok = true;
        try (ObjectStreamsServer server = ObjectStreamsServer.start(0)) {
            long startNanos = System.nanoTime();
            for (int i = 0; i < count; i++) {
                clients.add(new PlainClient(server.port()));
            }
            for (int round = 0; round < ROUNDS; round++) {
                for (PlainClient client : clients) {
                    client.send(round);
                }
                for (PlainClient client : clients) {
                    ok &= TestHandler.ANSWER.equals(client.receive());
                }
            }
            System.out.printf("%d ms%n", (System.nanoTime() - startNanos) / 1_000_000);
        } catch (IOException e) {
            System.err.println("failed: " + e);
            ok = false;
        } finally {
            for (PlainClient client : clients) {
                client.close();
            }
        }
        System.out.println(count * ROUNDS + " objects answered: " + (ok ? "right" : "wrong"));
        System.exit(ok ? 0 : 1);
    }
}
