package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class RequestLedgerTest {
    private static final int BOUND = 100;

    @Test
    void shouldKnowNoRequestWhenMoreAreAnsweredThanAsked() {
        RequestLedger ledger = new RequestLedger(BOUND);
        ledger.add(RequestLedger.HEAD);
        ledger.answered();
        ledger.answered();
        assertEquals(0, ledger.size());
        assertEquals(0, ledger.oldest());
        ledger.add(RequestLedger.CONNECT);
        assertEquals(RequestLedger.CONNECT, ledger.oldest());
    }

    @Test
    void shouldKeepTheOrderOfRequestsHoweverManyWait() {
        Random random = Seeds.random();
        RequestLedger ledger = new RequestLedger(BOUND);
        Queue<Integer> expected = new ArrayDeque<>();
        for (int step = 0; step < 20_000; step++) {
            boolean grows = step / 200 % 2 == 0; // so that both a long and an empty queue are met
            if (expected.size() < BOUND && random.nextInt(10) < (grows ? 8 : 2)) {
                int flags = 1 << random.nextInt(4);
                ledger.add(flags);
                expected.add(flags);
            } else {
                ledger.answered();
                expected.poll();
            }
            assertEquals(expected.isEmpty() ? 0 : expected.peek(), ledger.oldest(), "step " + step);
            assertEquals(expected.size(), ledger.size(), "step " + step);
        }
    }
}
