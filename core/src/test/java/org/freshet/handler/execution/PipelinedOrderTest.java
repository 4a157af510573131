package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.freshet.channel.ChannelFuture;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class PipelinedOrderTest extends PipelinedRequests {
    @Test
    void shouldAnswerInTheOrderOfRequestsWhateverOrderTheyFinishIn() {
        MemoryChannel channel = connect();
        channel.receive("a");
        channel.receive("b");
        channel.receive("c");
        assertEquals(3, executor.size(), "requests that run in parallel");
        executor.run(2);
        executor.run(1);
        assertEquals(List.of(), channel.takeWritten());
        executor.run(0);
        assertEquals(List.of("a", "b", "c"), channel.takeWritten());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldKeepTheWritesOfAnAnswerTogetherAndSendThoseOfTheFirstImmediately() {
        MemoryChannel channel = connect();
        PipelinedAnswer[] first = new PipelinedAnswer[1];
        Map<String, ChannelFuture> futures = new HashMap<>();
        channel.receive((Request) e -> first[0] = PipelinedAnswer.current().defer());
        channel.receive(writing(futures, "b1", "b2"));
        channel.receive(writing(futures, "c1", "c2"));
        executor.run(2);
        executor.run(1);
        executor.run(0);
        first[0].write("a1");
        assertEquals(List.of("a1"), channel.takeWritten());
        first[0].write("a2");
        assertFalse(futures.get("b1").isDone());
        first[0].end();
        assertEquals(List.of("a2", "b1", "b2", "c1", "c2"), channel.takeWritten());
        assertTrue(futures.values().stream().allMatch(ChannelFuture::isSuccess));
    }

    @Test
    void shouldAcceptARequestWithoutAnAnswer() {
        MemoryChannel channel = connect();
        channel.receive((Request) e -> {});
        channel.receive("b");
        executor.run(1);
        assertEquals(List.of(), channel.takeWritten());
        executor.run(0);
        assertEquals(List.of("b"), channel.takeWritten());
    }

    @Test
    void shouldNotLetOthersWriteIntoTheMiddleOfAnAnswer() {
        MemoryChannel channel = connect();
        PipelinedAnswer[] first = new PipelinedAnswer[1];
        channel.receive((Request) e -> first[0] = PipelinedAnswer.current().defer());
        executor.runAll();
        channel.write("news 1");
        first[0].write("a1");
        channel.write("news 2");
        first[0].write("a2");
        assertEquals(List.of("news 1", "a1", "a2"), channel.takeWritten());
        first[0].end();
        assertEquals(List.of("news 2"), channel.takeWritten());
    }

    @Test
    void shouldAnswerWithWritesOfOtherThreadsThatRunUnderTheAnswer() {
        MemoryChannel channel = connect();
        PipelinedAnswer[] answers = new PipelinedAnswer[2];
        channel.receive((Request) e -> answers[0] = PipelinedAnswer.current().defer());
        channel.receive((Request) e -> answers[1] = PipelinedAnswer.current().defer());
        executor.runAll();
        assertSame(channel, answers[0].getChannel());
        answers[1].run(() -> {
            assertSame(answers[1], PipelinedAnswer.current());
            channel.write("b");
        });
        answers[1].end();
        assertTrue(answers[1].isEnded());
        assertFalse(answers[0].isEnded());
        answers[0].run(() -> channel.write("a"));
        answers[0].end();
        assertEquals(List.of("a", "b"), channel.takeWritten());
        assertThrows(IllegalStateException.class, PipelinedAnswer::current);
    }

    @Test
    void shouldRefuseWritesAfterTheEndOfAnAnswer() {
        MemoryChannel channel = connect();
        PipelinedAnswer[] answer = new PipelinedAnswer[1];
        channel.receive((Request) e -> answer[0] = PipelinedAnswer.current());
        executor.runAll();
        assertInstanceOf(IllegalStateException.class, answer[0].write("late").getCause());
        assertThrows(IllegalStateException.class, answer[0]::defer);
        answer[0].end();
        answer[0].fail(new RuntimeException("too late to matter"));
        assertTrue(channel.isOpen());
    }

    /** A listener runs on the thread that sends; its writes are not part of that thread's answer. */
    @Test
    void shouldNotAddWritesOfListenersToTheAnswerOfTheCallingThread() {
        MemoryChannel channel = connect();
        channel.receive("a");
        channel.receive((Request) e -> e.getChannel().write("b").addListener(f -> channel.write("after b")));
        channel.receive("c");
        executor.run(1);
        executor.run(1);
        executor.run(0);
        assertEquals(4, channel.takeWritten().size());
    }
}
