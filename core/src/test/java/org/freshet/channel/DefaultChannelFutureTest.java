package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.freshet.testing.Allocations;
import org.junit.jupiter.api.Test;

class DefaultChannelFutureTest {
    private static final ChannelFutureListener IGNORES = done -> {};

    private final FakeChannel channel = new FakeChannel();
    private final DefaultChannelFuture future = new DefaultChannelFuture(channel, false);
    private final DefaultChannelFuture cancellable = new DefaultChannelFuture(channel, true);
    private final List<String> calls = new ArrayList<>();

    private ChannelFutureListener listener(String name) {
        return done -> calls.add(name);
    }

    // ---- the four states ----

    @Test
    void shouldInitiallyBePending() {
        for (ChannelFuture pending : List.of(future, cancellable)) {
            assertFalse(pending.isDone());
            assertFalse(pending.isSuccess());
            assertFalse(pending.isCancelled());
            assertNull(pending.getCause());
            assertSame(channel, pending.getChannel());
        }
    }

    @Test
    void shouldSucceedOnce() {
        assertTrue(future.setSuccess());
        assertFalse(future.setSuccess());
        assertFalse(future.setFailure(new IOException()));
        assertFalse(future.cancel());
        assertTrue(future.isDone());
        assertTrue(future.isSuccess());
        assertFalse(future.isCancelled());
        assertNull(future.getCause());
    }

    @Test
    void shouldFailOnce() {
        IOException cause = new IOException();
        assertTrue(cancellable.setFailure(cause));
        assertFalse(cancellable.setFailure(new IOException()));
        assertFalse(cancellable.setSuccess());
        assertFalse(cancellable.cancel());
        assertTrue(cancellable.isDone());
        assertFalse(cancellable.isSuccess());
        assertFalse(cancellable.isCancelled());
        assertSame(cause, cancellable.getCause());
    }

    /** In a full heap, thousands of writes of a closed connection fail one after another. */
    @Test
    void shouldFailWithoutAllocating() {
        IOException cause = new IOException();
        Iterator<ChannelFuture> next = Stream.generate(() -> observed(new DefaultChannelFuture(channel, false)))
                .limit(3 * 10_000)
                .toList()
                .iterator();
        Allocations.assertBytes(0, () -> next.next().setFailure(cause));
    }

    private static ChannelFuture observed(ChannelFuture pending) {
        pending.addListener(IGNORES);
        return pending;
    }

    @Test
    void shouldNotTakeAListenerThatIsAnExceptionForItsCause() {
        Complaint complaint = new Complaint();
        future.addListener(complaint);
        assertFalse(future.isDone());
        assertNull(future.getCause());
        assertTrue(future.setSuccess());
        assertSame(future, complaint.heard);
        assertNull(future.getCause());
    }

    @Test
    void shouldStayFailedIfTheCauseIsAListenerThatIsRemoved() {
        Complaint complaint = new Complaint();
        future.setFailure(complaint);
        future.removeListener(complaint);
        assertSame(complaint, future.getCause());
    }

    /** Keeps its result to be thrown later. */
    private static final class Complaint extends Exception implements ChannelFutureListener {
        private static final long serialVersionUID = 1L;

        private transient ChannelFuture heard;

        @Override
        public void operationComplete(ChannelFuture done) {
            heard = done;
        }
    }

    @Test
    void shouldBeCancelledOnce() {
        assertTrue(cancellable.cancel());
        assertFalse(cancellable.cancel());
        assertFalse(cancellable.setSuccess());
        assertFalse(cancellable.setFailure(new IOException()));
        assertTrue(cancellable.isDone());
        assertTrue(cancellable.isCancelled());
        assertFalse(cancellable.isSuccess());
        assertNull(cancellable.getCause());
    }

    @Test
    void shouldRefuseCancellationIfNotCancellable() {
        assertFalse(future.cancel());
        assertFalse(future.isDone());
        assertTrue(future.setSuccess());
    }

    @Test
    void shouldStayCancellableOrNotWhenListenersAreAddedAndRemoved() {
        for (int count = 0; count < 4; count++) {
            DefaultChannelFuture yes = new DefaultChannelFuture(channel, true);
            DefaultChannelFuture no = new DefaultChannelFuture(channel, false);
            List<ChannelFutureListener> added = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ChannelFutureListener listener = listener("x");
                added.add(listener);
                yes.addListener(listener);
                no.addListener(listener);
            }
            added.forEach(yes::removeListener);
            added.forEach(no::removeListener);
            yes.addListener(listener("yes"));
            no.addListener(listener("no"));
            assertFalse(no.cancel());
            assertTrue(yes.cancel());
        }
        assertEquals(List.of("yes", "yes", "yes", "yes"), calls);
    }

    @Test
    void shouldRefuseNulls() {
        assertThrows(NullPointerException.class, () -> future.setFailure(null));
        assertThrows(NullPointerException.class, () -> future.addListener(null));
        assertThrows(NullPointerException.class, () -> future.removeListener(null));
        assertFalse(future.isDone());
    }

    @Test
    void shouldWorkWithoutChannel() {
        DefaultChannelFuture lonely = new DefaultChannelFuture(null, false);
        lonely.addListener(listener("called"));
        assertFalse(lonely.awaitUninterruptibly(1));
        lonely.setSuccess();
        assertNull(lonely.getChannel());
        assertEquals(List.of("called"), calls);
    }

    @Test
    void shouldDescribeItsStateInWords() {
        FakeChannel known = new FakeChannel(42, null);
        assertEquals(
                "DefaultChannelFuture(pending, [id: 0x0000002a])", new DefaultChannelFuture(known, true).toString());
        cancellable.cancel();
        assertTrue(cancellable.toString().contains("cancelled"));
        future.setFailure(new IOException("broken"));
        assertTrue(future.toString().contains("failed: java.io.IOException: broken"));
    }

    // ---- stock listeners ----

    @Test
    void shouldCloseTheChannelByListener() {
        for (boolean success : new boolean[] {true, false}) {
            FakeChannel each = new FakeChannel();
            ChannelFuture done = new DefaultChannelFuture(each, false);
            done.addListener(ChannelFutureListener.CLOSE);
            assertTrue(success ? done.setSuccess() : done.setFailure(new IOException()));
            assertFalse(each.isOpen());
        }
    }

    @Test
    void shouldCloseTheChannelOnFailureOnlyByListener() {
        future.addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        future.setSuccess();
        assertTrue(channel.isOpen());
        cancellable.addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        cancellable.cancel();
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldPassOutcomesOn() {
        ChannelFuture succeeded = new DefaultChannelFuture(channel, false);
        ChannelFuture failed = new DefaultChannelFuture(channel, false);
        ChannelFuture cancelled = new DefaultChannelFuture(channel, true);
        ChannelFuture uncancellable = new DefaultChannelFuture(channel, false);
        IOException cause = new IOException();
        for (ChannelFuture target : List.of(succeeded, failed, cancelled, uncancellable)) {
            ChannelFuture source = new DefaultChannelFuture(channel, true);
            source.addListener(new ChannelFutureNotifier(target));
            if (target == succeeded) {
                source.setSuccess();
            } else if (target == failed) {
                source.setFailure(cause);
            } else {
                source.cancel();
            }
        }
        assertTrue(succeeded.isSuccess());
        assertSame(cause, failed.getCause());
        assertTrue(cancelled.isCancelled());
        assertInstanceOf(CancellationException.class, uncancellable.getCause());
    }

    // ---- listeners of the library ----

    /** A listener that others look for. */
    private final class Counter implements ChannelFutureListener {
        private final String name;

        Counter(String name) {
            this.name = name;
        }

        @Override
        public void operationComplete(ChannelFuture done) {
            calls.add(name);
        }
    }

    @Test
    void shouldFindAListenerOfATypeWhereverItIsInTheList() {
        for (int place = 0; place < 3; place++) {
            DefaultChannelFuture pending = new DefaultChannelFuture(channel, false);
            assertNull(pending.listenerOf(Counter.class));
            Counter counter = new Counter("counter");
            for (int i = 0; i < 3; i++) {
                pending.addListener(i == place ? counter : IGNORES);
            }
            assertSame(counter, pending.listenerOf(Counter.class));
            pending.setSuccess();
            assertNull(pending.listenerOf(Counter.class));
        }
    }

    @Test
    void shouldReplaceAListenerWhereverItIsInTheList() {
        for (int place = 0; place < 3; place++) {
            DefaultChannelFuture pending = new DefaultChannelFuture(channel, false);
            Counter counter = new Counter("counter");
            for (int i = 0; i < 3; i++) {
                pending.addListener(i == place ? counter : listener("other"));
            }
            assertTrue(pending.replaceListener(counter, new Counter("replacement")));
            calls.clear();
            pending.setSuccess();
            assertEquals(List.of("other", "other", "replacement"), calls);
            assertFalse(pending.replaceListener(counter, IGNORES));
        }
    }

    @Test
    void shouldReplaceItsOnlyListener() {
        Counter counter = new Counter("counter");
        future.addListener(counter);
        assertSame(counter, future.listenerOf(Counter.class));
        assertTrue(future.replaceListener(counter, new Counter("replacement")));
        future.setSuccess();
        assertEquals(List.of("replacement"), calls);
    }
}
