package org.freshet.internal.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.internal.IoThreadBound;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class ConnectionThreadTest {
    private final AtomicInteger asked = new AtomicInteger();
    private final List<String> ran = new CopyOnWriteArrayList<>();

    /** Whether the caller is the I/O thread, of which the channel here has none of its own. */
    private final ThreadLocal<Boolean> isIoThread = ThreadLocal.withInitial(() -> false);

    /** Whether the I/O thread is busy, so the pipeline's tasks don't run. */
    private volatile boolean holdsTasks;

    /** Its pipeline has no memory for the first tasks, and runs the others immediately. */
    private Channel channel(int failures) {
        MemoryChannel any = MemoryChannel.connected();
        ChannelPipeline pipeline = (ChannelPipeline) Proxy.newProxyInstance(
                ChannelPipeline.class.getClassLoader(),
                new Class<?>[] {ChannelPipeline.class},
                (self, method, args) -> {
                    if (asked.getAndIncrement() < failures) {
                        throw new OutOfMemoryError("thrown on purpose");
                    }
                    if (!holdsTasks) {
                        isIoThread.set(true);
                        ((Runnable) args[0]).run();
                        isIoThread.set(false);
                    }
                    return Channels.succeededFuture(any);
                });
        return (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(),
                new Class<?>[] {Channel.class, IoThreadBound.class},
                (self, method, args) -> switch (method.getName()) {
                    case "getPipeline" -> pipeline;
                    case "inIoThread" -> isIoThread.get();
                    case "onAwaitBegins" -> false;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void shouldRunTasksAlthoughThereWasNoMemoryToAskForIt() {
        ConnectionThread thread = new ConnectionThread(channel(1), () -> ran.add("flush"));
        thread.execute(() -> ran.add("first"));
        thread.execute(() -> ran.add("second"));
        Await.until(() -> ran.contains("flush"), "the tasks");
        assertEquals(List.of("first", "second", "flush"), ran);
    }

    @Test
    void shouldRunTheTasksAfterOneThatThrows() {
        try (CapturedLog log = CapturedLog.start()) {
            Channel busy = channel(0);
            ConnectionThread thread = new ConnectionThread(busy, () -> ran.add("flush"));
            thread.execute(() -> {
                throw new IllegalStateException("thrown on purpose");
            });
            thread.execute(() -> ran.add("next"));
            assertEquals(List.of("flush", "next", "flush"), ran);
            log.awaitMessage(m -> m.text().startsWith("a task of a connection threw"));
        }
    }

    /** Two requests of another thread wait when the I/O thread comes to them. */
    private ConnectionThread withRequests(Channel channel, Consumer<ConnectionThread> within) {
        ConnectionThread thread = new ConnectionThread(channel, () -> {});
        holdsTasks = true;
        CompletableFuture<Void> requests = CompletableFuture.runAsync(() -> {
            thread.request(() -> {
                ran.add("first");
                within.accept(thread);
            });
            thread.request(() -> ran.add("second"));
        });
        Await.result(requests, "the requests");
        isIoThread.set(true);
        return thread;
    }

    @Test
    void shouldRunRequestsAfterEarlierOnesOfOtherThreads() {
        ConnectionThread thread = withRequests(channel(0), self -> {
            assertFalse(self.mayRun());
            self.request(() -> {
                ran.add("follows from the first");
                assertTrue(self.mayRun());
            });
        });
        thread.request(() -> ran.add("last"));
        assertEquals(List.of("first", "second", "follows from the first", "last"), ran);
    }

    @Test
    void shouldRunTasksBeforeTheRequestsThatWait() {
        withRequests(channel(0), self -> self.execute(() -> ran.add("task"))).request(() -> ran.add("last"));
        assertEquals(List.of("first", "task", "second", "last"), ran);
    }

    @Test
    void shouldRunTheRestBeforeARequestIsAwaited() {
        withRequests(channel(0), self -> {
                    self.request(() -> ran.add("awaited"));
                    self.onAwaitBegins(() -> ran.contains("awaited"));
                    ran.add("awaits no more");
                })
                .request(() -> ran.add("last"));
        assertEquals(List.of("first", "second", "awaited", "awaits no more", "last"), ran);
    }
}
