package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultExceptionEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.FakeChannel;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.internal.IoThreads;
import org.freshet.internal.WakeUps;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.DefaultObjectSizeEstimator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection whose handler, loop and conversation are played by the test. */
class BlockingConnectionTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final SimpleChannelHandler place = new SimpleChannelHandler();
    private final MemoryChannel channel = MemoryChannel.connected(place);
    private final BlockingConnection connection = new BlockingConnection(channel.context(place));
    private final List<Thread> started = new ArrayList<>();

    @AfterEach
    void end() {
        connection.onInputEnds();
        channel.close();
        connection.onWritability();
        started.forEach(Await::end);
    }

    /** Calls a method that blocks, on a thread of its own, and returns once it does. */
    private <T> FutureTask<T> blocked(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        started.add(thread);
        thread.start();
        Await.waiting(thread, "the thread of a call that blocks");
        return task;
    }

    private static <T> T result(FutureTask<T> task) {
        return Await.result(task, "the blocked call");
    }

    private void receive(int messages) {
        for (int i = 0; i < messages; i++) {
            connection.onMessage(i);
        }
    }

    private DefaultExceptionEvent failure(Throwable cause) {
        return new DefaultExceptionEvent(channel, cause);
    }

    // ---- threads ----------------------------------------------------------------------------------------------------

    /** It would wait for itself. */
    @Test
    void shouldNotBlockTheIoThread() throws Exception {
        FakeChannel own = new FakeChannel(1, null, place);
        own.ioThread = Thread.currentThread();
        BlockingConnection misused = new BlockingConnection(own.getPipeline().getContext(place));
        assertThrows(IllegalStateException.class, misused::read);
        misused.onMessage("waiting");
        assertThrows(IllegalStateException.class, () -> misused.read(Duration.ZERO));
        misused.write("doesn't wait");
        own.setUserDefinedWritability(1, false);
        assertThrows(IllegalStateException.class, () -> misused.write("would wait"));
        own.ioThread = new Thread();
        assertEquals("waiting", misused.read(Duration.ZERO));
        own.ioThread = Thread.currentThread();
        own.close();
        assertThrows(ChannelClosedException.class, () -> misused.write("to a closed channel"), "waits for nothing");
    }

    @Test
    void shouldLetOthersGoOnAfterEachCall() throws Exception {
        channel.turnWritable(false);
        FutureTask<?> write = blocked(() -> connection.write("m"));
        channel.turnWritable(true);
        connection.onWritability();
        result(write);
        connection.run(ended -> {});
        assertEquals("other", result(otherThread(() -> {
            connection.onWritability();
            connection.onMessage("dropped");
            return "other";
        })));
    }

    private <T> FutureTask<T> otherThread(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        started.add(thread);
        thread.start();
        return task;
    }

    @Test
    void shouldStillWakeTheOthersWhenAThreadStopsWaiting() {
        for (int leaving = 0; leaving < 3; leaving++) {
            List<FutureTask<Object>> readers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                readers.add(blocked(() -> connection.read()));
            }
            FutureTask<Object> left = readers.remove(leaving);
            started.get(started.size() - 3 + leaving).interrupt();
            Await.until(left::isDone, "the interrupted reader");
            receive(2);
            assertEquals(1, (int) result(readers.get(0)) + (int) result(readers.get(1)));
        }
    }

    /** The loop wakes only one of them itself. */
    @Test
    void shouldWakeAllThreadsThatALoopHasCollected() {
        List<FutureTask<Object>> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(blocked(() -> connection.read()));
        }
        WakeUps collected = new WakeUps();
        IoThreads.begin(collected);
        try {
            receive(3);
        } finally {
            IoThreads.end();
        }
        collected.run();
        assertEquals(
                3, readers.stream().mapToInt(reader -> (int) result(reader)).sum());
    }

    @Test
    void shouldForgetAThreadWhoseTimeIsOver() {
        assertForgotten(threadThatHasWaited());
    }

    @Test
    void shouldForgetAThreadThatIsInterruptedWhileAnotherOneWaits() {
        WeakReference<Thread> interrupted = threadThatIsInterruptedAfter(() -> blocked(() -> connection.read()));
        assertForgotten(interrupted);
    }

    private WeakReference<Thread> threadThatIsInterruptedAfter(Runnable action) {
        blocked(() -> assertThrows(InterruptedException.class, () -> connection.read(LONG)));
        Thread thread = started.remove(started.size() - 1);
        action.run();
        thread.interrupt();
        Await.end(thread);
        return new WeakReference<>(thread);
    }

    private static void assertForgotten(WeakReference<Thread> forgotten) {
        Await.until(
                () -> {
                    System.gc();
                    return forgotten.refersTo(null);
                },
                "the collection of the thread");
    }

    private WeakReference<Thread> threadThatHasWaited() {
        FutureTask<?> read = new FutureTask<>(
                () -> assertThrows(SocketTimeoutException.class, () -> connection.read(Duration.ofMillis(1))));
        Thread thread = new Thread(read);
        thread.start();
        result(read);
        Await.end(thread);
        return new WeakReference<>(thread);
    }

    // ---- time limits ------------------------------------------------------------------------------------------------

    @Test
    void shouldWaitOnWhenItIsWokenWithoutAMessage() {
        FutureTask<Object> limited = blocked(() -> connection.read(LONG));
        connection.onWritability();
        Await.until(() -> started.get(0).getState() == Thread.State.TIMED_WAITING, "the reader to wait on");
        connection.onMessage("late");
        assertEquals("late", result(limited));
        FutureTask<Object> unlimited = blocked(() -> connection.read());
        connection.onWritability();
        Await.until(() -> started.get(1).getState() == Thread.State.WAITING, "the reader to wait on");
        connection.onMessage("later");
        assertEquals("later", result(unlimited));
    }

    @Test
    void shouldNotStartTheTimeAnewWhenItIsWoken() {
        long begun = System.nanoTime();
        FutureTask<String> limited =
                blocked(() -> assertThrows(SocketTimeoutException.class, () -> connection.read(Duration.ofMillis(50)))
                        .getMessage());
        while (!limited.isDone()) {
            connection.onWritability();
            Thread.yield();
        }
        assertEquals("no message within 50 ms", result(limited));
        assertTrue(System.nanoTime() - begun >= Duration.ofMillis(50).toNanos(), "nor is it over before");
    }

    @Test
    void shouldOnlyLookIfThereIsNoTime() throws Exception {
        assertThrows(SocketTimeoutException.class, () -> connection.read(Duration.ZERO));
        assertThrows(SocketTimeoutException.class, () -> connection.read(Duration.ofSeconds(-1)));
        connection.onMessage("here");
        assertEquals("here", connection.read(Duration.ZERO));
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    @Test
    void shouldSuspendReadingEachTimeTooManyMessagesWait() throws Exception {
        connection.onMessage("first");
        connection.read();
        for (int round = 0; round < 2; round++) {
            receive(BlockingConnection.MAX_MESSAGES - 1);
            assertTrue(channel.isReadable());
            receive(2);
            assertFalse(channel.isReadable());
            while (!channel.isReadable()) {
                connection.read();
            }
            for (int i = 0; i < BlockingConnection.MAX_MESSAGES / 2; i++) {
                connection.read();
            }
            assertThrows(SocketTimeoutException.class, () -> connection.read(Duration.ZERO), "half of them were left");
        }
    }

    @Test
    void shouldCountBytesUpToTheLimitAndDownToHalfOfIt() throws Exception {
        byte[] half = messageOf(BlockingConnection.MAX_BYTES / 2);
        connection.onMessage(half);
        assertTrue(channel.isReadable());
        connection.onMessage(half);
        assertFalse(channel.isReadable());
        connection.read();
        assertTrue(channel.isReadable());
    }

    /** A message that counts exactly that many bytes. */
    private static byte[] messageOf(int bytes) {
        DefaultObjectSizeEstimator sizes = new DefaultObjectSizeEstimator();
        int length = 2 * bytes - sizes.estimateSize(new byte[bytes]);
        assertEquals(bytes, sizes.estimateSize(new byte[length]));
        return new byte[length];
    }

    @Test
    void shouldReturnTheFutureOfTheClose() {
        assertSame(channel.getCloseFuture(), connection.close(CloseReason.COMPLETED));
    }

    // ---- the end ----------------------------------------------------------------------------------------------------

    /** The executor had no thread for it. */
    @Test
    void shouldKeepNothingIfItDoesNotBegin() {
        receive(2);
        connection.onRefused();
        assertThrows(SocketTimeoutException.class, () -> connection.read(Duration.ZERO));
        receive(2 * BlockingConnection.MAX_MESSAGES);
        assertTrue(channel.isReadable());
        IOException reset = new IOException("reset");
        connection.onFailure(failure(reset));
        assertEquals(List.of(reset), channel.takeCaught());
        assertFalse(connection.begin());
        connection.onFailure(failure(reset));
        assertEquals(List.of(reset), channel.takeCaught(), "it has ended for good");
    }

    @Test
    void shouldKeepAFailureForTheConversation() {
        assertTrue(connection.begin());
        assertFalse(connection.begin());
        IOException reset = new IOException("reset");
        connection.onFailure(failure(reset));
        assertEquals(List.of(), channel.takeCaught());
        assertSame(reset, assertThrows(IOException.class, connection::read));
    }

    @Test
    void shouldEndQuietlyAlthoughMessagesAreUnread() {
        try (CapturedLog log = CapturedLog.start()) {
            receive(2);
            connection.begin();
            connection.run(ended -> {});
            assertEquals(List.of(), log.messages());
        }
        assertEquals(List.of(), channel.takeCaught());
        assertEquals(CloseReason.LOCAL, channel.getCloseReason());
    }

    @Test
    void shouldNotLogAnIoExceptionAfterTheClose() {
        channel.close();
        connection.begin();
        try (CapturedLog log = CapturedLog.start()) {
            connection.run(ended -> {
                throw new IOException("closed");
            });
            assertEquals(List.of(), log.messages());
        }
    }

    @Test
    void shouldHoldADrainedChannelWhileTheConversationRuns() throws Exception {
        DrainEvent before = new DrainEvent(channel, () -> {});
        connection.onDrain(before);
        assertFalse(before.isHeld());
        assertTrue(before.isClaimed());
        connection.begin();
        DrainEvent drain = new DrainEvent(channel, () -> {});
        connection.onDrain(drain);
        assertTrue(drain.isHeld());
        assertTrue(drain.isClaimed());
        assertEquals(null, connection.read());
        connection.run(ended -> assertTrue(drain.isHeld()));
        assertFalse(drain.isHeld());
    }
}
