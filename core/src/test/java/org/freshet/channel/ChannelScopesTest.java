package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.freshet.handler.execution.ConversationHandler;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChannelScopesTest {
    /** The channel that a thread is working for; null outside any scope. */
    private static final ThreadLocal<Channel> CURRENT = new ThreadLocal<>();

    private final List<Channel> seen = new ArrayList<>();

    private static final class CurrentChannel implements ChannelScope {
        @Override
        public Object enter(Channel channel) {
            Channel before = CURRENT.get();
            CURRENT.set(channel);
            return before;
        }

        @Override
        public void exit(Object token) {
            CURRENT.set((Channel) token);
        }
    }

    /** Records which channel it works for. */
    private final class Noting extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            seen.add(CURRENT.get());
            super.messageReceived(ctx, e);
        }
    }

    @BeforeEach
    void install() {
        assertNull(ChannelScopes.install(new CurrentChannel()));
    }

    @AfterEach
    void uninstall() {
        ChannelScopes.install(null);
        assertNull(CURRENT.get(), "a scope was not left");
    }

    @Test
    void shouldSurroundEachUpstreamEvent() {
        MemoryChannel one = MemoryChannel.connected(new Noting());
        MemoryChannel other = MemoryChannel.connected(new Noting());
        one.receive("a");
        other.receive("b");
        one.receive("c");
        assertEquals(List.of(one, other, one), seen);
    }

    @Test
    void shouldReturnToTheOuterChannelWhenAHandlerFeedsAnother() {
        MemoryChannel inner = MemoryChannel.connected(new Noting());
        MemoryChannel outer = MemoryChannel.connected(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                seen.add(CURRENT.get());
                inner.receive("x");
                seen.add(CURRENT.get());
            }
        });
        outer.receive("y");
        assertEquals(List.of(outer, inner, outer), seen);
    }

    @Test
    void shouldSurroundListenersOfTheChannelsFutures() {
        MemoryChannel channel = MemoryChannel.connected(new Noting());
        ChannelFuture future = Channels.future(channel, false);
        future.addListener(done -> seen.add(CURRENT.get()));
        future.addListener(new ChannelFutureProgressListener() {
            @Override
            public void operationProgressed(ChannelFuture f, long amount, long current, long total) {
                seen.add(CURRENT.get());
            }

            @Override
            public void operationComplete(ChannelFuture f) {}
        });
        future.setProgress(1, 1, 2);
        future.setSuccess();
        future.addListener(done -> seen.add(CURRENT.get()));
        assertEquals(List.of(channel, channel, channel), seen);
    }

    @Test
    void shouldSurroundTasksOfThePipeline() {
        MemoryChannel channel = MemoryChannel.connected(new Noting());
        channel.getPipeline().execute(() -> seen.add(CURRENT.get()));
        assertEquals(List.of(channel), seen);
    }

    @Test
    void shouldFollowEventsToTheThreadOfAnExecutor() {
        CompletableFuture<Channel> there = new CompletableFuture<>();
        CompletableFuture<Channel> afterwards = new CompletableFuture<>();
        ExecutionHandler execution = new ExecutionHandler(task -> new Thread(() -> {
                    task.run();
                    afterwards.complete(CURRENT.get());
                })
                .start());
        MemoryChannel channel = MemoryChannel.connected(execution, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                there.complete(CURRENT.get());
            }
        });
        channel.receive("x");
        assertSame(channel, Await.result(there, "the handler"));
        assertNull(Await.result(afterwards, "the end of the task"));
    }

    @Test
    void shouldSurroundAConversation() {
        CompletableFuture<Channel> there = new CompletableFuture<>();
        MemoryChannel channel =
                MemoryChannel.connected(new ConversationHandler(connection -> there.complete(CURRENT.get())));
        assertSame(channel, Await.result(there, "the conversation"));
        Await.success(channel.getCloseFuture(), "the close after the conversation");
    }

    @Test
    void shouldBeLeftWhenAHandlerThrows() {
        List<Channel> whenCaught = new ArrayList<>();
        MemoryChannel channel = MemoryChannel.connected(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                throw new IllegalStateException("provoked");
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                whenCaught.add(CURRENT.get());
            }
        });
        channel.receive("x");
        assertEquals(List.of(channel), whenCaught);
        assertNull(CURRENT.get());
    }

    @Test
    void shouldContinueWithoutAScopeThatCannotBeEntered() {
        boolean[] isLeft = new boolean[1];
        ChannelScopes.install(new ChannelScope() {
            @Override
            public Object enter(Channel channel) {
                throw new IllegalStateException("provoked");
            }

            @Override
            public void exit(Object token) {
                isLeft[0] = true;
            }
        });
        assertEquals("a scope threw when it was entered: ", messageOfOneEvent());
        assertFalse(isLeft[0], "it was never entered");
    }

    @Test
    void shouldContinueAfterAScopeThatCannotBeLeft() {
        ChannelScopes.install(new ChannelScope() {
            @Override
            public Object enter(Channel channel) {
                return null;
            }

            @Override
            public void exit(Object token) {
                throw new IllegalStateException("provoked");
            }
        });
        assertEquals("a scope threw when it was left: ", messageOfOneEvent());
    }

    @Test
    void shouldReportAScopeThatThrowsOnceAndEachScopeThatDoes() {
        MemoryChannel channel = MemoryChannel.connected(new Noting());
        ChannelScope nested = new CurrentChannel();
        try (CapturedLog log = CapturedLog.start()) {
            for (int scopes = 1; scopes <= 2; scopes++) {
                ChannelScopes.install(new ChannelScope() {
                    @Override
                    public Object enter(Channel entered) {
                        throw new IllegalStateException("provoked");
                    }

                    @Override
                    public void exit(Object token) {}
                });
                channel.receive("x");
                channel.receive("y");
                assertEquals(scopes, log.messages().size(), () -> log.messages().toString());
            }
        } finally {
            ChannelScopes.install(nested);
        }
    }

    @Test
    void shouldRunWorkWithoutAScopeIfThereIsNoChannelOrNoScope() {
        MemoryChannel channel = MemoryChannel.connected(new Noting());
        CURRENT.set(channel);
        ChannelScopes.run(null, () -> seen.add(CURRENT.get()));
        CURRENT.remove();
        ChannelScopes.run(channel, () -> seen.add(CURRENT.get()));
        ChannelScopes.install(null);
        try (CapturedLog log = CapturedLog.start()) {
            ChannelScopes.run(channel, () -> seen.add(CURRENT.get()));
            assertEquals(List.of(), log.messages());
        }
        assertEquals(Arrays.asList(channel, channel, null), seen, "work without a channel is part of the caller's");
    }

    /** Returns the log's message without the class of the scope. */
    private String messageOfOneEvent() {
        ChannelScope scope = ChannelScopes.install(null);
        MemoryChannel channel = MemoryChannel.connected(new Noting());
        ChannelScopes.install(scope);
        try (CapturedLog log = CapturedLog.start()) {
            channel.receive("x");
            assertEquals(1, seen.size(), "the handler was called");
            return log.only().text().replaceAll("org\\.freshet.*", "");
        }
    }
}
