package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CompleteChannelFutureTest {
    private final FakeChannel channel = new FakeChannel(42, null);
    private final IOException cause = new IOException("broken");
    private final ChannelFuture succeeded = new SucceededChannelFuture(channel);
    private final ChannelFuture failed = new FailedChannelFuture(channel, cause);

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void shouldKnowTheirOutcome() {
        assertTrue(succeeded.isSuccess());
        assertNull(succeeded.getCause());
        assertFalse(failed.isSuccess());
        assertSame(cause, failed.getCause());
        assertEquals("SucceededChannelFuture(succeeded, [id: 0x0000002a])", succeeded.toString());
        assertEquals("FailedChannelFuture(failed: java.io.IOException: broken, [id: 0x0000002a])", failed.toString());
        for (ChannelFuture future : List.of(succeeded, failed)) {
            assertTrue(future.isDone());
            assertFalse(future.isCancelled());
            assertSame(channel, future.getChannel());
        }
    }

    @Test
    void shouldRefuseEveryChange() {
        for (ChannelFuture future : List.of(succeeded, failed)) {
            assertFalse(future.setSuccess());
            assertFalse(future.setFailure(new IOException()));
            assertFalse(future.cancel());
            assertFalse(future.setProgress(1, 1, 1));
        }
        assertNull(succeeded.getCause());
        assertSame(cause, failed.getCause());
    }

    @Test
    void shouldCallListenersImmediatelyAndSurviveTheirExceptions() {
        for (ChannelFuture future : List.of(succeeded, failed)) {
            List<ChannelFuture> calls = new ArrayList<>();
            future.addListener(done -> {
                throw new IOException("thrown on purpose");
            });
            ChannelFutureListener listener = calls::add;
            future.addListener(listener);
            future.removeListener(listener);
            assertEquals(List.of(future), calls);
            assertThrows(NullPointerException.class, () -> future.addListener(null));
        }
    }

    @Test
    void shouldNotWait() throws Exception {
        channel.ioThread = Thread.currentThread();
        for (ChannelFuture future : List.of(succeeded, failed)) {
            assertSame(future, future.await());
            assertSame(future, future.awaitUninterruptibly());
            assertTrue(future.await(0));
            assertTrue(future.await(0, TimeUnit.SECONDS));
            assertTrue(future.awaitUninterruptibly(0));
            assertTrue(future.awaitUninterruptibly(0, TimeUnit.SECONDS));
        }
    }

    @Test
    void shouldThrowInterruptedExceptionsLikeAPendingFuture() {
        for (ChannelFuture future : List.of(succeeded, failed)) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, future::await);
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> future.await(1));
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> future.await(1, TimeUnit.SECONDS));
            Thread.currentThread().interrupt();
            assertTrue(future.awaitUninterruptibly(1));
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void shouldRethrowTheCause() throws Exception {
        assertSame(succeeded, succeeded.sync());
        assertSame(succeeded, succeeded.syncUninterruptibly());
        assertSame(cause, assertThrows(ChannelException.class, failed::sync).getCause());
        assertSame(
                cause,
                assertThrows(ChannelException.class, failed::syncUninterruptibly)
                        .getCause());
        RuntimeException unchecked = new IllegalStateException();
        assertSame(
                unchecked,
                assertThrows(IllegalStateException.class, new FailedChannelFuture(channel, unchecked)::sync));
    }

    @Test
    void shouldRefuseNulls() {
        assertThrows(NullPointerException.class, () -> new SucceededChannelFuture(null));
        assertThrows(NullPointerException.class, () -> new FailedChannelFuture(null, cause));
        assertThrows(NullPointerException.class, () -> new FailedChannelFuture(channel, null));
    }
}
