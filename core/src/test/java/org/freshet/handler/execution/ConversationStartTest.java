package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

/** When a conversation begins, what becomes of a channel without one, and what is left at its end. */
class ConversationStartTest {
    private static final InetSocketAddress PEER = InetSocketAddress.createUnresolved("peer", 1);

    private final TaskQueue threads = new TaskQueue();

    private static MemoryChannel channelWithoutAThread() {
        MemoryChannel channel = MemoryChannel.connected(new ConversationHandler(connection -> {}, task -> {
            throw new RejectedExecutionException("full");
        }));
        channel.takeCaught();
        return channel;
    }

    // ---- the start --------------------------------------------------------------------------------------------------

    @Test
    void shouldBeginOnlyWhenTheChannelConnects() {
        MemoryChannel built = MemoryChannel.open(new ConversationHandler(connection -> {}, threads));
        MemoryChannel extended = MemoryChannel.open();
        extended.getPipeline().addFirst("talk", new ConversationHandler(connection -> {}, threads));
        assertEquals(0, threads.size());
        built.connect(PEER);
        assertEquals(1, threads.size());
        extended.connect(PEER);
        assertEquals(2, threads.size());
    }

    @Test
    void shouldBeRemovableBeforeItsPipelineHasAChannel() {
        ChannelPipeline pipeline = Channels.pipeline(new ConversationHandler(connection -> {}, threads));
        pipeline.remove(ConversationHandler.class);
        assertNull(pipeline.get(ConversationHandler.class));
    }

    /** The event passes it although it has begun already. */
    @Test
    void shouldBeginOnceIfItIsAddedBeforeTheEventThatTheChannelIsConnected() {
        MemoryChannel.connected(new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ctx.getPipeline().addAfter(ctx.getName(), "talk", new ConversationHandler(connection -> {}, threads));
                ctx.sendUpstream(e);
            }
        });
        assertEquals(1, threads.size());
    }

    @Test
    void shouldEndTheInputWithEachEventThatEndsTheConnection() {
        List<Consumer<MemoryChannel>> ends =
                List.of(Channels::fireChannelDisconnected, Channels::fireChannelUnbound, Channels::fireChannelClosed);
        for (Consumer<MemoryChannel> end : ends) {
            List<Object> read = new ArrayList<>();
            MemoryChannel channel = MemoryChannel.connected(new ConversationHandler(
                    connection -> {
                        read.add(connection.read(Duration.ZERO));
                        read.add(String.valueOf(connection.read(Duration.ZERO)));
                    },
                    threads));
            channel.receive("last");
            end.accept(channel);
            runOnItsThread();
            assertEquals(List.of("last", "null"), read);
        }
    }

    private void runOnItsThread() {
        Thread thread = new Thread(threads::runAll);
        thread.start();
        Await.end(thread);
    }

    // ---- a channel that got no thread -------------------------------------------------------------------------------

    @Test
    void shouldSendUpFailuresIfThereIsNoConversation() {
        MemoryChannel channel = channelWithoutAThread();
        IOException reset = new IOException("reset");
        Channels.fireExceptionCaught(channel, reset);
        assertEquals(List.of(reset), channel.takeCaught());
    }

    @Test
    void shouldNotHoldAChannelWithoutAConversation() {
        MemoryChannel channel = channelWithoutAThread();
        DrainEvent drain = new DrainEvent(channel, () -> {});
        channel.getPipeline().sendUpstream(drain);
        assertTrue(drain.isClaimed());
        assertFalse(drain.isHeld());
        assertTrue(channel.takeUpstream().contains(drain), "other handlers may still hold it");
    }

    // ---- the end ----------------------------------------------------------------------------------------------------

    @Test
    void shouldReportAllThatWasNotReadAndThenItsOwnFailure() {
        IllegalStateException fault = new IllegalStateException("a fault of the application");
        MemoryChannel channel = MemoryChannel.connected(new ConversationHandler(
                connection -> {
                    throw fault;
                },
                threads));
        IOException first = new IOException("first");
        IOException second = new IOException("second");
        Channels.fireExceptionCaught(channel, first);
        channel.receive("unread");
        Channels.fireExceptionCaught(channel, second);
        runOnItsThread();
        assertEquals(List.of(first, second, fault), channel.takeCaught());
        assertSame(fault, channel.getCloseReason().cause());
        assertEquals(CloseReason.Kind.LOCAL, channel.getCloseReason().kind());
    }

    @Test
    void shouldLogThatMemoryRanOutWhenTheEndWasReported() {
        MemoryChannel channel = MemoryChannel.connected(new ConversationHandler(
                connection -> {
                    throw new IllegalStateException("planned");
                },
                threads));
        channel.scarceTasks(new Scarcity(0));
        try (CapturedLog log = CapturedLog.start()) {
            runOnItsThread();
            assertTrue(log.only().text().startsWith("the end of a conversation was not reported: "));
        }
        assertTrue(channel.getCloseFuture().isDone());
    }

    @Test
    void shouldNameItsPlatformThreads() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Thread starter = new Thread(
                () -> ConversationThreads.startPlatformThread(() -> thread.complete(Thread.currentThread())));
        starter.setDaemon(false);
        starter.start();
        Thread started = Await.result(thread, "the thread");
        assertTrue(started.getName().matches("freshet-conversation-[0-9]+"), started.getName());
        assertTrue(started.isDaemon(), "although the thread that started it isn't");
        Await.end(starter);
        Await.end(started);
    }
}
