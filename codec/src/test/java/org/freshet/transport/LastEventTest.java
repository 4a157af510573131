package org.freshet.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nothing follows channelClosed, whatever other threads request of the channel while it closes and afterwards. */
class LastEventTest {
    private static final int ROUNDS = 50;
    private static final int REQUESTS = 50;

    @ParameterizedTest
    @EnumSource
    void shouldBeChannelClosedAmidRequestsOfOtherThreads(Pair pair) {
        try (Rig rig = pair.rig()) {
            List<Recorder> children = new CopyOnWriteArrayList<>();
            Channel server = rig.listen(pair.freeAddress(), () -> {
                Recorder child = new Recorder();
                children.add(child);
                return child;
            });
            for (int i = 0; i < ROUNDS; i++) {
                Recorder client = new Recorder();
                Channel channel = rig.connect(server.getLocalAddress(), client);
                Await.until(
                        () -> !children.isEmpty()
                                && children.get(children.size() - 1).channel() != null,
                        "the child");
                Recorder child = children.remove(children.size() - 1);
                child.awaitEvent("connected");
                pester(child.channel(), i);
                child.awaitClosed();
                Await.success(channel.close(), "the client's close");
                client.awaitClosed();
                assertClosedLast(child);
                assertClosedLast(client);
            }
        }
    }

    /** Several threads make requests that may cause events; one of them closes in between. */
    private static void pester(Channel channel, int round) {
        CountDownLatch begin = new CountDownLatch(1);
        List<Thread> threads = List.of(
                new Thread(() -> repeat(begin, i -> channel.write(ChannelBuffers.wrappedBuffer(new byte[1])))),
                new Thread(() -> repeat(begin, i -> channel.write("of a wrong type for a socket"))),
                new Thread(() -> repeat(begin, i -> channel.setReadable(i % 2 == 0))),
                new Thread(() -> repeat(begin, i -> channel.setUserDefinedWritability(1, i % 2 == 0))),
                new Thread(() -> repeat(begin, i -> {
                    if (i == round % REQUESTS) {
                        channel.close();
                    }
                })));
        threads.forEach(Thread::start);
        begin.countDown();
        threads.forEach(Await::end);
    }

    private interface Step {
        void run(int i);
    }

    private static void repeat(CountDownLatch begin, Step step) {
        Await.latch(begin, "the others");
        for (int i = 0; i < REQUESTS; i++) {
            step.run(i);
        }
    }

    private static void assertClosedLast(Recorder recorder) {
        List<String> events = recorder.events();
        assertEquals(events.size() - 1, events.indexOf("closed"), events::toString);
    }
}
