package org.freshet.channel.socket.nio.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.write.OutgoingMessage;
import org.freshet.testing.Allocations;
import org.junit.jupiter.api.Test;

class WriteQueueTest {
    private final TestQueue queue = new TestQueue();

    @Test
    void shouldReturnRequestsInTheOrderPushed() {
        queue.push(request(1));
        queue.push(request(2));
        queue.push(request(3));
        queue.takeRequests();
        assertEquals(List.of(1, 2, 3), drain());
    }

    @Test
    void shouldBeEmptyOnceEverythingWasRemoved() {
        assertTrue(queue.isEmpty());
        queue.append(request(1));
        queue.append(request(2));
        assertFalse(queue.isEmpty());
        drain();
        assertTrue(queue.isEmpty());
        assertNull(queue.peek());
    }

    @Test
    void shouldShowEachMessageAfterTheFirst() {
        queue.append(request(1));
        queue.append(request(2));
        OutgoingMessage first = queue.peek();
        OutgoingMessage second = queue.following(first);
        assertEquals(2, number(second));
        assertNull(queue.following(second));
    }

    @Test
    void shouldRemoveSomeAndKeepTheOrderOfTheRest() {
        for (int i = 1; i <= 5; i++) {
            queue.append(request(i));
        }
        List<Integer> removed = new ArrayList<>();
        OutgoingMessage oldest = queue.removeIf(message -> number(message) % 2 == 1);
        for (OutgoingMessage message = oldest; message != null; message = message.nextMessage()) {
            removed.add(number(message));
        }
        assertEquals(List.of(1, 3, 5), removed);
        assertEquals(
                removed, queue.left.stream().map(WriteQueueTest::number).toList(), "others have left the account, too");
        assertEquals(List.of(2, 4), drain());
        assertNull(queue.removeIf(message -> true));
    }

    @Test
    void shouldReleaseEachMessageOnceWhenItIsRemoved() {
        OutgoingMessage first = request(1);
        OutgoingMessage second = request(2);
        queue.append(first);
        queue.append(second);
        queue.remove();
        assertEquals(List.of(first), queue.left);
        queue.remove();
        assertEquals(List.of(first, second), queue.left);
    }

    /** Looks for a push that is lost or out of its thread's order while the loop takes the inbox. */
    @Test
    void shouldLoseNothingAndKeepEachThreadsOrderWhileThreadsPush() throws InterruptedException {
        int threads = 4;
        int each = 50_000;
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> writers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int base = t * each;
            Thread writer = new Thread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int i = 0; i < each; i++) {
                    queue.push(request(base + i));
                }
            });
            writer.start();
            writers.add(writer);
        }
        start.countDown();
        int[] next = new int[threads];
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        for (int taken = 0; taken < threads * each; ) {
            assertTrue(System.nanoTime() - deadlineNanos < 0, "only " + taken + " requests arrived within 30 s");
            queue.takeRequests();
            for (; queue.peek() != null; taken++) {
                int number = number(queue.remove());
                assertEquals(next[number / each]++, number % each, "order of thread " + number / each);
            }
            Thread.onSpinWait();
        }
        for (Thread writer : writers) {
            writer.join();
        }
        assertTrue(queue.isEmpty());
    }

    private List<Integer> drain() {
        List<Integer> numbers = new ArrayList<>();
        while (queue.peek() != null) {
            numbers.add(number(queue.remove()));
        }
        return numbers;
    }

    private static int number(OutgoingMessage request) {
        return request.buffer().getInt(0);
    }

    private static OutgoingMessage request(int number) {
        ChannelBuffer buffer = ChannelBuffers.buffer(4);
        buffer.writeInt(number);
        return new OutgoingMessage(new Write(new DefaultChannelFuture(null, false), buffer));
    }

    private record Write(ChannelFuture future, Object message) implements MessageEvent {
        @Override
        public Channel getChannel() {
            return null;
        }

        @Override
        public ChannelFuture getFuture() {
            return future;
        }

        @Override
        public Object getMessage() {
            return message;
        }

        @Override
        public SocketAddress getRemoteAddress() {
            return null;
        }
    }

    /** With memory exhausted, a message moved from the queue to a list that cannot grow would be lost. */
    @Test
    void shouldAllocateNothingForTheMessagesThatItRemoves() {
        int messages = 10_000;
        for (int i = 0; i < messages; i++) {
            queue.append(request(i));
        }
        queue.isRecording = false;
        List<OutgoingMessage> removed = new ArrayList<>();
        long bytes = Allocations.bytesOf(() -> removed.add(queue.removeIf(message -> true)));
        assertTrue(bytes < 8 * messages, () -> bytes + " bytes for " + messages + " messages");
        assertEquals(0, number(removed.get(0)));
    }
}
