package org.freshet.internal.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;

class RequestInboxTest {
    private static final class Numbered extends ChannelRequest {
        final int number;

        Numbered(int number) {
            this.number = number;
        }
    }

    private static final class Inbox extends RequestInbox {}

    private final RequestInbox inbox = new Inbox();

    @Test
    void shouldReturnRequestsInTheOrderPushed() {
        for (int i = 1; i <= 3; i++) {
            inbox.push(new Numbered(i));
        }
        assertEquals(List.of(1, 2, 3), numbers(inbox.takeInbox()));
    }

    @Test
    void shouldReturnEachRequestOnce() {
        inbox.push(new Numbered(1));
        inbox.takeInbox();
        inbox.push(new Numbered(2));
        assertEquals(List.of(2), numbers(inbox.takeInbox()));
        assertNull(inbox.takeInbox());
    }

    @Test
    void shouldReportToThePusherThatTheInboxWasEmpty() {
        assertTrue(inbox.isInboxEmpty());
        assertTrue(inbox.push(new Numbered(1)));
        assertFalse(inbox.push(new Numbered(2)));
        assertFalse(inbox.isInboxEmpty());
        inbox.takeInbox();
        assertTrue(inbox.isInboxEmpty());
        assertTrue(inbox.push(new Numbered(3)));
    }

    /**
     * Looks for a request that is lost, out of its thread's order, or left in an inbox without a notification to the
     * taker.
     */
    @Test
    void shouldLoseNothingAndKeepEachThreadsOrderWhileThreadsPush() {
        int threads = 4;
        int each = 50_000;
        AtomicInteger notifications = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> pushers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int first = t * each;
            Thread pusher = new Thread(() -> {
                Await.latch(start, "the start");
                for (int i = 0; i < each; i++) {
                    if (inbox.push(new Numbered(first + i))) {
                        notifications.incrementAndGet();
                    }
                }
            });
            pusher.start();
            pushers.add(pusher);
        }
        start.countDown();
        int[] next = new int[threads];
        AtomicInteger taken = new AtomicInteger();
        Await.until(
                () -> {
                    while (notifications.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
                        for (int number : numbers(inbox.takeInbox())) {
                            assertEquals(next[number / each]++, number % each, "order of thread " + number / each);
                            taken.incrementAndGet();
                        }
                    }
                    return taken.get() == threads * each;
                },
                () -> threads * each + " requests, got " + taken);
        pushers.forEach(Await::end);
        assertTrue(inbox.isInboxEmpty());
    }

    private static List<Integer> numbers(ChannelRequest oldest) {
        List<Integer> numbers = new ArrayList<>();
        for (ChannelRequest request = oldest; request != null; request = request.next) {
            numbers.add(((Numbered) request).number);
        }
        return numbers;
    }
}
