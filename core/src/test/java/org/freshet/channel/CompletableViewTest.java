package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class CompletableViewTest {
    private final FakeChannel channel = new FakeChannel();
    private final DefaultChannelFuture source = new DefaultChannelFuture(channel, true);
    private final CompletableFuture<Channel> view = source.toCompletableFuture();

    @Test
    void shouldCompleteWithTheChannel() throws Exception {
        assertFalse(view.isDone());
        source.setSuccess();
        assertSame(channel, view.get());
    }

    @Test
    void shouldCompleteDependentStages() {
        CompletableFuture<Channel> stage = view.thenApply(open -> open);
        CompletableFuture<String> other = view.thenApply(open -> "open");
        assertTrue(other.complete("given up"), "a stage belongs to its user");
        assertFalse(view.isDone());
        source.setSuccess();
        assertSame(channel, stage.join());
        assertEquals("given up", other.join());
    }

    @Test
    void shouldFailWithTheCause() {
        IOException cause = new IOException();
        source.setFailure(cause);
        assertSame(cause, assertThrows(ExecutionException.class, view::get).getCause());
    }

    @Test
    void shouldBeCancelledWithTheSource() {
        source.cancel();
        assertTrue(view.isCancelled());
        assertThrows(CancellationException.class, view::join);
    }

    @Test
    void shouldCancelTheSource() {
        assertTrue(view.cancel(true));
        assertTrue(source.isCancelled());
        assertTrue(view.cancel(true));
    }

    @Test
    void shouldNotBeCancelledIfTheSourceCannotBe() {
        DefaultChannelFuture write = new DefaultChannelFuture(channel, false);
        CompletableFuture<Channel> viewOfWrite = write.toCompletableFuture();
        assertFalse(viewOfWrite.cancel(true));
        assertFalse(viewOfWrite.isDone());
        write.setSuccess();
        assertFalse(viewOfWrite.cancel(true));
        assertSame(channel, viewOfWrite.join());
    }

    @Test
    void shouldOtherwiseLeaveTheSourceAlone() {
        view.completeExceptionally(new TimeoutException());
        assertFalse(source.isDone());
        assertTrue(source.setSuccess());
    }

    @Test
    void shouldReflectACompletedSource() {
        assertSame(
                channel,
                new SucceededChannelFuture(channel).toCompletableFuture().join());
        assertTrue(new FailedChannelFuture(channel, new IOException())
                .toCompletableFuture()
                .isCompletedExceptionally());
    }

    @Test
    void shouldRunStagesInTheOrderOfListeners() {
        List<String> calls = new ArrayList<>();
        DefaultChannelFuture future = new DefaultChannelFuture(channel, false);
        future.addListener(done -> calls.add("listener before"));
        future.toCompletableFuture().thenRun(() -> calls.add("stage"));
        future.addListener(done -> calls.add("listener after"));
        future.setSuccess();
        assertEquals(List.of("listener before", "stage", "listener after"), calls);
    }

    @Test
    void shouldNotCancelTheSourceThroughDependentStages() {
        assertTrue(view.thenApply(Channel::getId).cancel(true));
        assertFalse(source.isDone());
    }

    @Test
    void shouldRefuseToWaitOnTheIoThread() throws Exception {
        channel.ioThread = Thread.currentThread();
        assertThrows(IllegalStateException.class, view::get);
        assertThrows(IllegalStateException.class, view::join);
        assertThrows(IllegalStateException.class, () -> view.get(1, TimeUnit.SECONDS));
        source.setSuccess();
        assertSame(channel, view.get());
    }

    @Test
    void shouldNotRefuseItOnceTheViewWasCompletedOtherwise() throws Exception {
        channel.ioThread = Thread.currentThread();
        FakeChannel other = new FakeChannel();
        view.complete(other);
        assertSame(other, view.join());
        assertSame(other, view.get());
        assertSame(other, view.get(1, TimeUnit.SECONDS));
        assertFalse(source.isDone());
    }

    @Test
    void shouldWaitOnOtherThreads() {
        assertThrows(TimeoutException.class, () -> view.get(1, TimeUnit.MICROSECONDS));
    }
}
