package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.freshet.channel.ChannelFuture;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Channels that close, several channels, and removal. */
class PipelinedChannelsTest extends PipelinedRequests {
    // ---- closing ----

    @Test
    void shouldCompleteEveryFutureWhenTheChannelClosesInMidFlight() {
        MemoryChannel channel = connect().holdWrites();
        Map<String, ChannelFuture> futures = new HashMap<>();
        channel.receive(writing(futures, "a1", "a2"));
        channel.receive((Request) e -> {});
        channel.receive(writing(futures, "c"));
        channel.receive(writing(futures, "d"));
        PipelinedAnswer[] first = new PipelinedAnswer[1];
        channel.receive((Request) e -> first[0] = PipelinedAnswer.current().defer());
        channel.receive(writing(futures, "f"));
        executor.run(5);
        executor.run(4);
        executor.run(2);
        executor.run(0);
        futures.put("e", first[0].write("e"));
        channel.close();
        executor.runAll();
        futures.put("late", first[0].write("late"));
        first[0].end();
        assertEquals(7, futures.size());
        futures.forEach((name, future) ->
                assertInstanceOf(ClosedChannelException.class, future.getCause(), "write of " + name));
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldStillRunRequestsThatWereReceivedBeforeTheClose() {
        MemoryChannel channel = MemoryChannel.connected(handler(executor, 1, 1000), business);
        List<String> handled = new ArrayList<>();
        channel.receive((Request) e -> handled.add("a"));
        channel.receive((Request) e -> handled.add("b"));
        channel.close();
        assertEquals(1, executor.size());
        executor.runAll();
        assertEquals(List.of("a", "b"), handled);
    }

    // ---- its position in the pipeline ----

    @Test
    void shouldServeManyChannels() {
        PipelinedExecutionHandler handler = handler(executor, 10, 1000);
        MemoryChannel one = MemoryChannel.connected(handler, business);
        MemoryChannel other = MemoryChannel.connected(handler);
        one.receive((Request) e -> {
            e.getChannel().write("to myself");
            other.write("to the other");
            throw new RuntimeException("meant");
        });
        executor.runAll();
        assertEquals(List.of("to the other"), other.takeWritten());
        assertTrue(other.isOpen());
        assertFalse(one.isOpen());
    }

    @Test
    void shouldAnswerAcceptedRequestsAfterItWasRemoved() {
        PipelinedExecutionHandler handler = handler(executor, 10, 1000);
        MemoryChannel channel = MemoryChannel.connected(handler, business);
        channel.receive("a");
        channel.receive("b");
        executor.run(1);
        channel.getPipeline().remove(handler);
        channel.receive("c");
        assertEquals(List.of("c"), channel.takeWritten());
        executor.runAll();
        assertEquals(2, channel.takeWritten().size());
    }

    @Test
    void shouldResumeReadingAndRunAcceptedRequestsIfRemovedWhileThePeerDidNotRead() {
        PipelinedExecutionHandler handler = handler(executor, 10, 1000);
        MemoryChannel channel = MemoryChannel.connected(handler, business);
        channel.receive("a");
        channel.turnWritable(false);
        channel.receive("b");
        assertFalse(channel.isReadable());
        channel.getPipeline().remove(handler);
        assertTrue(channel.isReadable());
        executor.runAll();
        assertEquals(List.of("a", "b"), channel.takeWritten());
        channel.turnWritable(true);
        channel.turnWritable(false);
        assertTrue(channel.isReadable());
        assertEquals(0, timer.pendingTimeouts());
        channel.close(); // with what it counts in the memory budget
    }
}
