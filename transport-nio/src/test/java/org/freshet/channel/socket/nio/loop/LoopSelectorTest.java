package org.freshet.channel.socket.nio.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.AbstractServerChannel;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.loop.ScriptedSelectors.ScriptedSelector;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a loop waits, what wakes it, and what a rebuild moves, on a selector that belongs to the test. */
class LoopSelectorTest {
    private final ScriptedSelectors selectors = new ScriptedSelectors();
    private final LoopCounters counters = new LoopCounters();
    private final List<SelectionKey> handled = new ArrayList<>();
    private Runnable whenReady = () -> {};
    private final LoopSelector selector = new LoopSelector(selectors, this::handle, counters);
    private final ScriptedSelector scripted = selectors.opened().get(0);
    private final List<DatagramChannel> sockets = new ArrayList<>();

    private void handle(SelectionKey key) {
        handled.add(key);
        whenReady.run();
    }

    @AfterEach
    void close() throws IOException {
        Thread.interrupted();
        selector.close();
        for (DatagramChannel socket : sockets) {
            socket.close();
        }
    }

    private SelectionKey register(LoopChannel channel) throws IOException {
        DatagramChannel socket = selectors.openDatagramChannel();
        sockets.add(socket);
        socket.configureBlocking(false);
        return selector.register(socket, SelectionKey.OP_READ, channel);
    }

    // ---- waking ----

    @Test
    void shouldBeWokenOnceHoweverManyTasksAreSubmitted() {
        selector.beginSelect();
        assertTrue(selector.isWaiting());
        selector.wakeUp();
        selector.wakeUp();
        assertEquals(1, scripted.wakeUps());
        assertFalse(selector.isWaiting());
    }

    @Test
    void shouldNotBeWokenWhileItWorks() throws IOException {
        selector.wakeUp();
        selector.beginSelect();
        selector.selectNow();
        selector.wakeUp();
        selector.beginSelect();
        selector.select(0);
        selector.wakeUp();
        assertEquals(0, scripted.wakeUps());
        assertEquals(List.of(-1L, 0L), scripted.waits());
    }

    /** The tasks that a handler submits run in the same iteration. */
    @Test
    void shouldNotBeWokenByTheHandlerOfAReadyKey() throws IOException {
        scripted.makeReady(register(new TestChannel()));
        whenReady = selector::wakeUp;
        selector.beginSelect();
        selector.select(0);
        assertEquals(1, handled.size());
        assertEquals(0, scripted.wakeUps());
    }

    // ---- waiting ----

    @Test
    void shouldHandleTheKeysThatAreReadyNow() throws IOException {
        SelectionKey key = register(new TestChannel());
        scripted.makeReady(key);
        selector.selectNow();
        assertEquals(List.of(key), handled);
    }

    @Test
    void shouldNotExplainAWaitThatEndedByItself() throws IOException {
        selector.beginSelect();
        assertFalse(selector.select(25));
        assertEquals(List.of(25L), scripted.waits());
        assertEquals(0, counters.wakeUps());
        assertFalse(selector.isWaiting());
    }

    @Test
    void shouldExplainAWaitByAWakeUpAndCountIt() throws IOException {
        scripted.duringNextWait(selector::wakeUp);
        selector.beginSelect();
        assertTrue(selector.select(0));
        assertEquals(1, counters.wakeUps());
    }

    @Test
    void shouldExplainAWaitByAReadyKey() throws IOException {
        SelectionKey key = register(new TestChannel());
        scripted.makeReady(key);
        selector.beginSelect();
        assertTrue(selector.select(0));
        assertEquals(List.of(key), handled);
        assertEquals(0, counters.wakeUps(), "no other thread has woken it");
        assertFalse(selector.isWaiting());
    }

    private int returnsUntilItSpins() {
        int returns = 1;
        while (!selector.isSpinning()) {
            returns++;
        }
        return returns;
    }

    @Test
    void shouldCountReturnsWithoutCauseSinceTheLastOneThatHadOne() throws IOException {
        int limit = returnsUntilItSpins();
        assertFalse(selector.isSpinning());
        selector.onDeadline();
        assertEquals(limit, returnsUntilItSpins());
        assertFalse(selector.isSpinning());
        scripted.duringNextWait(selector::wakeUp);
        selector.beginSelect();
        selector.select(0);
        assertEquals(limit, returnsUntilItSpins());
    }

    @Test
    void shouldPauseLongerTheMoreSelectorsHaveFailedButNoLongerThanASecond() {
        List<Long> pauses = new ArrayList<>();
        selector.pauseWith(pauses::add);
        selector.pause(1);
        selector.pause(3);
        selector.pause(1_000_000);
        assertEquals(
                List.of(
                        TimeUnit.MILLISECONDS.toNanos(10),
                        TimeUnit.MILLISECONDS.toNanos(30),
                        TimeUnit.SECONDS.toNanos(1)),
                pauses);
    }

    @Test
    void shouldForgetAnInterruptBeforeAPauseAndSaySo() {
        selector.pauseWith(nanos -> assertFalse(Thread.currentThread().isInterrupted()));
        try (CapturedLog log = CapturedLog.start()) {
            selector.pause(1);
            assertEquals(List.of(), log.messages());
            Thread.currentThread().interrupt();
            selector.pause(1);
            assertEquals(1, log.messages().size());
        }
    }

    // ---- keys ----

    @Test
    void shouldFindAChannelByItsId() throws IOException {
        TestChannel one = new TestChannel();
        TestChannel other = new TestChannel();
        register(one);
        register(other);
        register(null);
        assertEquals(3, selector.keyCount());
        assertSame(one, selector.find(one.hashCode()));
        assertSame(other, selector.find(other.hashCode()));
        assertNull(selector.find(new TestChannel().hashCode()));
    }

    @Test
    void shouldHaveNoKeysOnceClosed() throws IOException {
        TestChannel channel = new TestChannel();
        register(channel);
        selector.close();
        assertEquals(0, selector.keyCount());
        assertNull(selector.find(channel.hashCode()));
        assertEquals(List.of(), selector.channels());
    }

    @Test
    void shouldListTheChannelsWhoseKeysAreValid() throws IOException {
        TestChannel open = new TestChannel();
        register(open);
        register(new TestChannel()).cancel();
        register(null);
        assertEquals(List.of(open), selector.channels());
    }

    // ---- rebuilding ----

    @Test
    void shouldMoveKeysToANewSelector() throws IOException {
        TestChannel channel = new TestChannel();
        SelectionKey before = register(channel);
        before.interestOps(SelectionKey.OP_WRITE);
        Selector old = selector.rebuild(failed -> {
            throw new AssertionError("has not failed: " + failed);
        });
        assertSame(scripted, old);
        assertFalse(before.isValid());
        assertNotSame(before, channel.key);
        assertEquals(Set.of(channel.key), selectors.opened().get(1).keys());
        assertSame(channel, channel.key.attachment());
        assertEquals(SelectionKey.OP_WRITE, channel.key.interestOps());
        assertSame(before.channel(), channel.key.channel());

        selector.beginSelect();
        selector.wakeUp();
        assertEquals(1, selectors.opened().get(1).wakeUps());
    }

    @Test
    void shouldLeaveCancelledKeysAndThoseOfOthersBehind() throws IOException {
        TestChannel closed = new TestChannel();
        register(closed).cancel();
        SelectionKey foreign = register(null);
        selector.rebuild(failed -> {
            throw new AssertionError("has not failed: " + failed);
        });
        assertNull(closed.key);
        assertTrue(foreign.isValid());
        assertEquals(Set.of(), selectors.opened().get(1).keys());
    }

    @Test
    void shouldCloseAChannelThatFailsToMove() throws IOException {
        TestChannel failing = new TestChannel();
        failing.failure = new OutOfMemoryError("thrown on purpose");
        TestChannel other = new TestChannel();
        register(failing);
        register(other);
        List<LoopChannel> closed = new ArrayList<>();
        selector.rebuild(closed::add);
        assertEquals(List.of(failing), closed);
        assertEquals(
                Set.of(other, failing),
                Set.copyOf(attachments(selectors.opened().get(1))));
    }

    private static List<Object> attachments(Selector of) {
        return of.keys().stream().map(SelectionKey::attachment).toList();
    }

    @Test
    void shouldKeepItsSelectorIfNoOtherCanBeOpened() throws IOException {
        TestChannel channel = new TestChannel();
        SelectionKey key = register(channel);
        selectors.failNextOpen(new IOException("no descriptors, on purpose"));
        assertThrows(IOException.class, () -> selector.rebuild(failed -> {}));
        assertTrue(key.isValid());
        assertEquals(List.of(channel), selector.channels());
    }

    @Test
    void shouldSayThatNoSelectorCouldBeOpened() {
        IOException cause = new IOException("no descriptors, on purpose");
        selectors.failNextOpen(cause);
        assertSame(
                cause,
                assertThrows(ChannelException.class, () -> new LoopSelector(selectors, key -> {}, counters))
                        .getCause());
    }

    /** Remembers its key after a rebuild. */
    private static final class TestChannel extends AbstractServerChannel implements LoopChannel {
        private SelectionKey key;
        private Error failure;

        TestChannel() {
            super(null, Channels.pipeline(), new AbstractChannelSink() {
                @Override
                public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
                    throw new UnsupportedOperationException();
                }
            });
        }

        @Override
        public void onKeyChanged(SelectionKey changed) {
            if (failure != null) {
                throw failure;
            }
            key = changed;
        }

        @Override
        public void onFailed(Throwable cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void onLoopStopping() {
            throw new AssertionError("the loop does not stop");
        }

        @Override
        public ChannelConfig getConfig() {
            return null;
        }

        @Override
        public boolean isBound() {
            return true;
        }

        @Override
        public SocketAddress getLocalAddress() {
            return null;
        }

        @Override
        public SocketAddress getRemoteAddress() {
            return null;
        }
    }
}
