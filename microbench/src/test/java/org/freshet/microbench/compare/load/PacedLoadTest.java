package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacedLoadTest {
    private static final int REQUESTS_PER_SECOND = 2000;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int BATCH = 2;

    /** Answers a batch of requests. */
    private interface Answers {
        List<SlowRequest> to(List<SlowRequest> batch);
    }

    @Test
    void shouldCountAnswersAndSeeThatTheyCameInOrder() throws Exception {
        try (OneConnectionServer server = answering(batch -> batch);
                PacedLoad load = new PacedLoad(server.port(), REQUESTS_PER_SECOND)) {
            load.connect();
            long answers = answersOf(load, 100);
            assertTrue(answers > 0 && answers <= 100, () -> "answers: " + answers);
            assertTrue(load.isInOrder());
            assertTrue(load.isInOrderOfCustomers());
        }
    }

    @Test
    void shouldSeeThatAnswersOfDifferentCustomersAreSwapped() throws Exception {
        assertFalse(
                SlowRequest.numbered(0).customer() == SlowRequest.numbered(1).customer());
        Answers firstTwoSwapped = batch -> {
            if (batch.get(0).number() == 0) {
                Collections.reverse(batch);
            }
            return batch;
        };
        try (OneConnectionServer server = answering(firstTwoSwapped);
                PacedLoad load = new PacedLoad(server.port(), REQUESTS_PER_SECOND)) {
            load.connect();
            answersOf(load, 100);
            assertFalse(load.isInOrder());
            assertTrue(load.isInOrderOfCustomers());
        }
    }

    @Test
    void shouldSeeThatACustomersAnswersAreSwapped() throws Exception {
        List<SlowRequest> all = new ArrayList<>();
        Answers allReversed = batch -> {
            all.addAll(batch);
            List<SlowRequest> answers = new ArrayList<>();
            if (all.size() == 400) {
                Collections.reverse(all);
                answers.addAll(all);
            }
            return answers;
        };
        try (OneConnectionServer server = answering(allReversed);
                PacedLoad load = new PacedLoad(server.port(), REQUESTS_PER_SECOND)) {
            load.connect();
            answersOf(load, 400);
            for (int i = 0; load.isInOrderOfCustomers() && i < 1000; i++) {
                answersOf(load, 2); // the server may be slow; it answers these with nothing
            }
            assertFalse(load.isInOrderOfCustomers());
        }
    }

    @Test
    void shouldRefuseAnAnswerThatIsNotDue() throws Exception {
        Answers twice = batch -> List.of(batch.get(0), batch.get(0));
        try (OneConnectionServer server = answering(twice);
                PacedLoad load = new PacedLoad(server.port(), REQUESTS_PER_SECOND)) {
            load.connect();
            IOException failure = assertThrows(IOException.class, () -> load.run(10_000, LIMIT, done -> {}));
            assertTrue(
                    failure.getMessage().startsWith("an answer that is not due: SlowRequest[number=0"),
                    failure::toString);
        }
    }

    private static long answersOf(PacedLoad load, int requests) throws IOException {
        return load.run(requests, LIMIT, done -> {}).messages();
    }

    private static OneConnectionServer answering(Answers answers) throws IOException {
        return new OneConnectionServer((in, out) -> {
            byte[] bytes = new byte[SlowRequest.BYTES];
            while (true) {
                List<SlowRequest> batch = new ArrayList<>();
                for (int i = 0; i < BATCH; i++) {
                    in.readFully(bytes);
                    batch.add(SlowRequest.readFrom(ByteBuffer.wrap(bytes)));
                }
                for (SlowRequest answered : answers.to(batch)) {
                    out.write(answered.toBytes());
                }
            }
        });
    }
}
