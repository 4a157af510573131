package org.freshet.internal.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private long nanos = Long.MAX_VALUE - 10; // a clock may start anywhere, and overflow

    private final TokenBucket bucket = new TokenBucket(100, 10, () -> nanos);

    private void pass(double seconds) {
        nanos += (long) (seconds * 1e9);
    }

    private int takeAll() {
        int count = 0;
        while (bucket.take()) {
            count++;
        }
        return count;
    }

    @Test
    void shouldAllowABurst() {
        assertEquals(100, takeAll());
    }

    @Test
    void shouldAllowItsRateAfterABurst() {
        takeAll();
        pass(2);
        assertEquals(20, takeAll());
        pass(0.25);
        assertEquals(2, takeAll());
        pass(0.25);
        assertEquals(3, takeAll(), "halves add up");
    }

    @Test
    void shouldAllowOneBurstAfterAPause() {
        bucket.take();
        pass(1_000);

        assertEquals(100, takeAll());
    }

    @Test
    void shouldNotCountTimeThatPassedWhileItWasFull() {
        pass(1_000);
        assertEquals(100, takeAll());
        pass(1);

        assertEquals(10, takeAll());
    }
}
