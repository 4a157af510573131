package org.freshet.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.CloseReason;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.stream.ChunkedStream;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.handler.timeout.IdleStateHandler;
import org.freshet.handler.traffic.BackPressureHandler;
import org.freshet.internal.transport.AcceptedChannels;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class ExplainTest {
    private static String explain(Channel channel) {
        return Await.result(Explain.channel(channel, 10), "the explanation");
    }

    /** The text after the channel's own line, without the handler that every such channel has. */
    private static String detail(Channel channel) {
        String text = explain(channel);
        assertTrue(text.startsWith(channel + "\n"), text);
        return text.substring(text.indexOf('\n') + 1).replaceAll("  keeper of a MemoryChannel: .*\n", "");
    }

    private static final class Orders extends SimpleChannelUpstreamHandler implements Explainable {
        @Override
        public void explain(ChannelHandlerContext ctx, Explanation out) {
            out.put("at", ctx.getName())
                    .put("orders in hand", 3)
                    .put("last", "one\ntwo")
                    .put("first", null);
        }
    }

    @Test
    void shouldDescribeTheChannelAndQuoteEachHandler() {
        MemoryChannel channel = MemoryChannel.connected(new SimpleChannelDownstreamHandler(), new Orders());
        assertEquals("""
                  type: MemoryChannel
                  state: connected
                  reading: on
                  writing: on
                  waiting bytes: 0
                  of them in the transport: 0
                handlers, from the transport up
                  0: org.freshet.channel.SimpleChannelDownstreamHandler (down, not sharable)
                  1: org.freshet.telemetry.ExplainTest$Orders (up, not sharable)
                      at: 1
                      orders in hand: 3
                      last: one
                      first: null
                """, detail(channel));
    }

    @Test
    void shouldDescribeWhatFreshetsHandlersAreWaitingFor() {
        FakeTimer timer = new FakeTimer();
        BackPressureHandler backPressure = new BackPressureHandler();
        ExecutionHandler execution = new ExecutionHandler(new Executor());
        MemoryChannel channel = MemoryChannel.connected(
                new IdleStateHandler(timer, 60, 0, 0), new ChunkedWriteHandler(), backPressure, execution);
        channel.turnWritable(false);
        channel.write(new ChunkedStream(new ByteArrayInputStream(new byte[10])));
        String text = detail(channel);
        assertTrue(
                text.contains("      idle after ms, 0 for never: 60000 without reading, 0 without writing, 0 "), text);
        assertTrue(text.contains("      messages waiting: 1\n"), text);
        assertTrue(text.contains("      suspends reading: true\n"), text);
        assertTrue(text.contains("      executor: ten threads\n"), text);
        assertTrue(text.contains("  reading: suspended\n  writing: off, too many bytes are waiting\n"), text);
        channel.close();
        timer.stop();
    }

    private static final class Executor implements java.util.concurrent.Executor {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public String toString() {
            return "ten threads";
        }
    }

    @Test
    void shouldNameTheUserDefinedWritabilityThatIsOff() {
        MemoryChannel channel = MemoryChannel.connected();
        channel.setUserDefinedWritability(3, false);
        channel.setUserDefinedWritability(31, false);
        assertTrue(detail(channel).contains("  writing: off by the user-defined writability 3, 31\n"));
    }

    @Test
    void shouldGiveTheReasonWhyAChannelIsClosed() {
        MemoryChannel channel = MemoryChannel.connected(new SimpleChannelUpstreamHandler());
        Await.success(channel.close(CloseReason.of(CloseReason.Kind.LOCAL, "no more orders", null)), "the close");
        assertTrue(
                detail(channel).contains("  state: closed: LOCAL: this side closed the channel: no more orders\n"),
                explain(channel));
    }

    @Test
    void shouldAnswerFromAnotherThreadWhenTheIoThreadDoesNot() {
        MemoryChannel channel = MemoryChannel.connected(new Orders()).holdTasks();
        String text = explain(channel);
        assertTrue(
                text.contains("  note: its I/O thread does not answer; this is the view from another thread\n"), text);
        assertTrue(text.contains("      orders in hand: 3\n"), text);
        channel.runTasks();
    }

    @Test
    void shouldContinueAfterAHandlerThatCannotExplainItself() {
        MemoryChannel channel = MemoryChannel.connected(new Failing(), new Orders());
        String text = explain(channel);
        assertTrue(text.contains("      explain() failed: java.lang.IllegalStateException: provoked\n"), text);
        assertTrue(text.contains("      orders in hand: 3\n"), text);
    }

    private static final class Failing extends SimpleChannelUpstreamHandler implements Explainable {
        @Override
        public void explain(ChannelHandlerContext ctx, Explanation out) {
            throw new IllegalStateException("provoked");
        }
    }

    @Test
    void shouldOmitAHandlerRemovedInTheMeantime() {
        MemoryChannel channel = MemoryChannel.connected(new SimpleChannelUpstreamHandler());
        channel.getPipeline().addLast("remover", new Remover());
        channel.getPipeline().addLast("removed", new Orders());
        String text = explain(channel);
        assertTrue(text.contains("remover"), text);
        assertFalse(text.contains("removed:"), text);
    }

    private static final class Remover extends SimpleChannelUpstreamHandler implements Explainable {
        @Override
        public void explain(ChannelHandlerContext ctx, Explanation out) {
            ctx.getPipeline().remove("removed");
        }
    }

    @Test
    void shouldListConnectionsOfServersOnly() {
        MemoryChannel channel = MemoryChannel.connected();
        assertThrows(IllegalArgumentException.class, () -> Explain.connections(channel, 0));
        CompletableFuture<String> refused = Explain.connections(channel, 1);
        ExecutionException e = assertThrows(ExecutionException.class, refused::get);
        assertEquals(IllegalArgumentException.class, e.getCause().getClass());
    }

    @Test
    void shouldListConnectionsWhoseBacklogsChangeInTheMeantime() throws InterruptedException {
        Random random = Seeds.random();
        List<Channel> channels = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            channels.add(MemoryChannel.connected().holdWrites());
        }
        Channel server = (Channel) Proxy.newProxyInstance(
                ExplainTest.class.getClassLoader(),
                new Class<?>[] {Channel.class, AcceptedChannels.class},
                (proxy, method, arguments) -> CompletableFuture.completedFuture(channels));
        AtomicBoolean isOver = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            while (!isOver.get()) {
                MemoryChannel channel = (MemoryChannel) channels.get(random.nextInt(channels.size()));
                if (channel.unansweredWrites() > 3) {
                    channel.completeWrites();
                } else {
                    channel.write("m".repeat(random.nextInt(1000)));
                }
            }
        });
        writer.start();
        try {
            for (int i = 0; i < 50; i++) {
                String text = Await.result(Explain.connections(server, 10), "the list");
                assertTrue(text.endsWith("and 990 more\n"), text);
            }
        } finally {
            isOver.set(true);
            writer.join();
            channels.forEach(Channel::close);
        }
    }
}
