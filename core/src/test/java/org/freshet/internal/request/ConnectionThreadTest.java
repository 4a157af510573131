package org.freshet.internal.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
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
                    isIoThread.set(true);
                    ((Runnable) args[0]).run();
                    isIoThread.set(false);
                    return Channels.succeededFuture(any);
                });
        return (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(),
                new Class<?>[] {Channel.class, IoThreadBound.class},
                (self, method, args) -> switch (method.getName()) {
                    case "getPipeline" -> pipeline;
                    case "inIoThread" -> isIoThread.get();
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
}
