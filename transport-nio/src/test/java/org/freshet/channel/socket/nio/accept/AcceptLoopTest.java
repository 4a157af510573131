package org.freshet.channel.socket.nio.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptLimits.Rules;
import org.freshet.internal.accept.AcceptRate;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one server accepts, and when it listens again, with a scripted socket, a scripted key and a clock that stands still. */
class AcceptLoopTest {
    private static final int MOST_A_TURN = 64;

    private long nowNanos = 1;
    private final Deadlines deadlines = new Deadlines(() -> nowNanos);
    private final AcceptLimits limits = new AcceptLimits();
    private final ScriptedServerSocket socket = new ScriptedServerSocket();
    private final ScriptedServer server = new ScriptedServer(deadlines);
    private final ScriptedKey key = new ScriptedKey(socket);
    private final List<SocketChannel> opened = new ArrayList<>();
    private final List<AcceptLoop> loops = new ArrayList<>();
    private CapturedLog log;

    @BeforeEach
    void captureLog() {
        log = CapturedLog.start();
    }

    @AfterEach
    void close() throws IOException {
        loops.forEach(AcceptLoop::onClosed);
        log.close();
        for (SocketChannel one : opened) {
            one.close();
        }
        socket.close();
    }

    private AcceptLoop loop(AcceptLimits serversLimits) {
        AcceptLoop loop = new AcceptLoop(server, socket, serversLimits);
        loop.onBound(key);
        deadlines.expire(); // removes the one that only loads classes
        loops.add(loop);
        return loop;
    }

    private AcceptLoop loop() {
        return loop(limits);
    }

    /** Adds connections to the backlog. */
    private List<SocketChannel> connect(int count) throws IOException {
        List<SocketChannel> connections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connections.add(SocketChannel.open());
        }
        opened.addAll(connections);
        socket.backlog().addAll(connections);
        return connections;
    }

    private void passMillis(long millis) {
        nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
        deadlines.expire();
    }

    private void assertListens() {
        assertEquals(SelectionKey.OP_ACCEPT, key.interestOps());
    }

    private void assertDoesNotListen() {
        assertEquals(0, key.interestOps());
    }

    // ---- accepting --------------------------------------------------------------------------------------------------

    @Test
    void shouldAcceptAllThatWaitAndKeepListening() throws IOException {
        List<SocketChannel> waiting = connect(3);
        loop().onAcceptable();
        assertEquals(waiting, server.accepted());
        assertEquals(3, limits.openConnections());
        assertListens();
    }

    @Test
    void shouldLetOtherServersHaveTheirTurnAfterSomeConnections() throws IOException {
        AcceptLoop loop = loop();
        connect(MOST_A_TURN + 1);
        loop.onAcceptable();
        assertEquals(MOST_A_TURN, server.accepted().size());
        assertListens();
        loop.onAcceptable();
        assertEquals(MOST_A_TURN + 1, server.accepted().size());
    }

    @Test
    void shouldAcceptNothingMoreOnceItsServerIsUnbound() throws IOException {
        connect(2);
        AcceptLoop loop = loop();
        server.whenAccepted(server::loseBinding);
        loop.onAcceptable();
        assertEquals(1, server.accepted().size());
        assertEquals(1, socket.backlog().size());
    }

    @Test
    void shouldHoldNoRoomForAConnectionThatDidNotCome() {
        loop().onAcceptable();
        assertEquals(0, limits.openConnections());
        assertListens();
    }

    @Test
    void shouldGiveBackTheRoomOfAConnectionThatItsServerCannotServe() throws IOException {
        limits.setMax(1);
        connect(3);
        server.keepPermits(false);
        loop().onAcceptable();
        assertEquals(3, server.accepted().size());
        assertEquals(0, limits.openConnections());
    }

    @Test
    void shouldCountEachConnectionInSharedLimits() throws IOException {
        AcceptLimits guard = new AcceptLimits();
        limits.share(guard);
        connect(2);
        loop().onAcceptable();
        assertEquals(2, guard.openConnections());
        server.permits().get(0).release();
        assertEquals(1, guard.openConnections());
        server.permits().get(1).release();
        assertEquals(0, guard.openConnections());
        assertEquals(0, limits.openConnections());
    }

    @Test
    void shouldTakeASocketThatWasClosedForOneWithoutConnections() {
        socket.failNextAccept(new ClosedChannelException());
        loop().onAcceptable();
        assertListens();
        assertEquals(-1, deadlines.millisToNext());
        assertEquals(List.of(), log.messages());
    }

    // ---- limits -----------------------------------------------------------------------------------------------------

    @Test
    void shouldLeaveConnectionsWaitingWhileItIsFull() throws IOException {
        limits.setMax(1);
        connect(2);
        AcceptLoop loop = loop();
        loop.onAcceptable();
        assertEquals(1, server.accepted().size());
        assertDoesNotListen();
        assertEquals(1, limits.waitingServers());
        assertEquals(1, socket.backlog().size());

        server.permits().get(0).release();
        assertEquals(1, server.wakeUps());
        loop.onRoom();
        assertListens();
        loop.onAcceptable();
        assertEquals(2, server.accepted().size());
    }

    @Test
    void shouldAcceptNothingWhileItIsPausedByAnOperator() throws IOException {
        connect(1);
        AcceptLoop loop = loop();
        limits.setPaused(true);
        loop.onAcceptable();
        loop.onAcceptable();
        assertEquals(List.of(), server.accepted());
        assertDoesNotListen();
        limits.setPaused(false);
        assertEquals(1, server.wakeUps());
        loop.onRoom();
        assertListens();
    }

    @Test
    void shouldIgnoreRoomWhileItDoesNotWaitForAny() throws IOException {
        AcceptLoop loop = loop();
        socket.failNextAccept(new IOException("thrown on purpose"));
        loop.onAcceptable();
        loop.onRoom();
        assertDoesNotListen();
    }

    @Test
    void shouldResetAConnectionThatTheLimitsRefuse() throws IOException {
        AcceptLimits refusing = new AcceptLimits(new Rules((peer, common) -> common, null, true, false));
        refusing.setMax(1);
        List<SocketChannel> waiting = connect(2);
        loop(refusing).onAcceptable();
        assertEquals(List.of(waiting.get(0)), server.accepted());
        assertTrue(waiting.get(0).isOpen());
        assertFalse(waiting.get(1).isOpen());
        assertEquals(1, refusing.openConnections());
        assertListens();
    }

    /** A connected pair; the peer's end is returned. */
    private SocketChannel connectAPeer() throws IOException {
        try (ServerSocketChannel listening =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            SocketChannel peer = SocketChannel.open(listening.getLocalAddress());
            opened.add(peer);
            SocketChannel accepted = listening.accept();
            opened.add(accepted);
            socket.backlog().add(accepted);
            return peer;
        }
    }

    @Test
    void shouldResetTheSecondConnectionOfAnAddressThatMayHaveOne() throws IOException {
        limits.setMaxPerAddress(1);
        connectAPeer();
        SocketChannel refused = connectAPeer();
        loop().onAcceptable();
        assertEquals(1, server.accepted().size());
        assertEquals(1, limits.openConnections(InetAddress.getLoopbackAddress()));
        assertThrows(
                SocketException.class,
                () -> refused.read(ByteBuffer.allocate(1)),
                "a close without a reset reads as -1");
    }

    @Test
    void shouldCountNoAddressOfAPeerThatIsGone() throws IOException {
        limits.setMaxPerAddress(1);
        for (SocketChannel gone : connect(2)) {
            gone.close();
        }
        loop().onAcceptable();
        assertEquals(2, server.accepted().size());
        assertListens();
    }

    // ---- a limit that is lowered during an accept -------------------------------------------------------------------

    /** The server had room for the second connection until it was accepted. */
    private AcceptLoop holdingOne() throws IOException {
        AcceptLoop loop = loop();
        connect(1);
        loop.onAcceptable();
        connect(2);
        socket.duringNextAccept(() -> limits.setMax(1));
        loop.onAcceptable();
        return loop;
    }

    @Test
    void shouldHoldAConnectionAcceptedWhileTheLimitWasLowered() throws IOException {
        AcceptLoop loop = holdingOne();
        assertEquals(1, server.accepted().size());
        assertEquals(1, limits.openConnections());
        assertDoesNotListen();
        assertEquals(1, socket.backlog().size());
        assertTrue(opened.get(1).isOpen());

        limits.setMax(2);
        loop.onRoom();
        assertEquals(opened.subList(0, 2), server.accepted());
        assertDoesNotListen();
        limits.setMax(3);
        loop.onRoom();
        loop.onAcceptable();
        assertEquals(opened, server.accepted());
    }

    @Test
    void shouldResetTheHeldConnectionWhenTheServerIsClosed() throws IOException {
        holdingOne().onClosed();
        assertFalse(opened.get(1).isOpen());
        assertTrue(opened.get(0).isOpen());
        assertEquals(0, limits.waitingServers());
    }

    // ---- a rate -----------------------------------------------------------------------------------------------------

    private AcceptLimits withRate(int perSecond) {
        return new AcceptLimits(
                new Rules((peer, common) -> common, new AcceptRate(perSecond, 1, () -> nowNanos), false, false));
    }

    @Test
    void shouldListenAgainOnceTheRateAllows() throws IOException {
        AcceptLoop loop = loop(withRate(100));
        connect(2);
        loop.onAcceptable();
        assertEquals(1, server.accepted().size());
        assertDoesNotListen();
        loop.onRoom();
        assertDoesNotListen();
        assertEquals(11, deadlines.millisToNext(), "10 ms, rounded up");
        passMillis(10);
        assertDoesNotListen();
        passMillis(1);
        assertListens();
        loop.onAcceptable();
        assertEquals(2, server.accepted().size());
    }

    @Test
    void shouldNotListenAgainOnceClosed() throws IOException {
        AcceptLoop loop = loop(withRate(100));
        connect(2);
        loop.onAcceptable();
        loop.onClosed();
        passMillis(11);
        assertDoesNotListen();
        loop.onAcceptable();
        assertEquals(1, server.accepted().size());
    }

    // ---- failures ---------------------------------------------------------------------------------------------------

    @Test
    void shouldTryAgainLaterAndLaterAfterEachFailure() throws IOException {
        AcceptLoop loop = loop();
        for (int millis : new int[] {5, 10, 20}) {
            socket.failNextAccept(new IOException("thrown on purpose"));
            loop.onAcceptable();
            assertDoesNotListen();
            assertEquals(0, limits.openConnections());
            assertEquals(millis, deadlines.millisToNext());
            passMillis(millis);
            assertListens();
        }
        assertEquals(1, log.messages(InternalLogLevel.WARN).size(), "one report of a shortage");
        connect(1);
        loop.onAcceptable();
        socket.failNextAccept(new IOException("thrown on purpose"));
        loop.onAcceptable();
        assertEquals(5, deadlines.millisToNext(), "an accept has succeeded in the meantime");
    }

    @Test
    void shouldTryAgainAfterAnError() throws IOException {
        AcceptLoop loop = loop();
        connect(1);
        socket.duringNextAccept(() -> {
            throw new OutOfMemoryError("thrown on purpose");
        });
        loop.onAcceptable();
        assertDoesNotListen();
        assertEquals(0, limits.openConnections());
        passMillis(5);
        loop.onAcceptable();
        assertEquals(1, server.accepted().size());
    }

    @Test
    void shouldTryAgainOnceIfTheChangeOfTheKeyFails() throws IOException {
        AcceptLimits slow = withRate(100);
        AcceptLoop loop = loop(slow);
        connect(2);
        key.failNextChange();
        loop.onAcceptable();
        assertEquals(5, deadlines.millisToNext(), "the back-off");
        passMillis(5);
        assertListens();
        slow.setPaused(true);
        loop.onAcceptable();
        passMillis(6); // when the attempt that failed would have been repeated
        assertDoesNotListen();
    }

    @Test
    void shouldResetAllThatWaitIfTheyAreFew() throws IOException {
        AcceptLimits sparing = new AcceptLimits(new Rules((peer, common) -> common, null, false, true));
        AcceptLoop loop = loop(sparing);
        List<SocketChannel> waiting = connect(2);
        socket.failNextAccept(new IOException("too many open files, on purpose"));
        loop.onAcceptable();
        assertEquals(2, sparing.counts().refused());
        assertFalse(waiting.get(1).isOpen());
        assertEquals(1, log.messages(InternalLogLevel.WARN).size());
    }

    @Test
    void shouldResetWaitingConnectionsWithTheSpareDescriptor() throws IOException {
        AcceptLimits sparing = new AcceptLimits(new Rules((peer, common) -> common, null, false, true));
        AcceptLoop loop = loop(sparing);
        List<SocketChannel> waiting = connect(MOST_A_TURN + 1);
        socket.failNextAccept(new IOException("too many open files, on purpose"));
        loop.onAcceptable();
        assertEquals(MOST_A_TURN, sparing.counts().refused());
        assertFalse(waiting.get(0).isOpen());
        assertFalse(waiting.get(MOST_A_TURN - 1).isOpen());
        assertTrue(waiting.get(MOST_A_TURN).isOpen());
        assertEquals(List.of(), server.accepted());
    }

    @Test
    void shouldCountWhatItResetUntilTheDescriptorWasTakenByAnother() throws IOException {
        AcceptLimits sparing = new AcceptLimits(new Rules((peer, common) -> common, null, false, true));
        AcceptLoop loop = loop(sparing);
        connect(1);
        socket.failNextAccept(new IOException("too many open files, on purpose"));
        socket.failAcceptWithEmptyBacklog(new IOException("too many open files, on purpose"));
        loop.onAcceptable();
        assertEquals(1, sparing.counts().refused());
    }

    @Test
    void shouldResetNothingWithoutASpareDescriptor() throws IOException {
        List<SocketChannel> waiting = connect(1);
        socket.failNextAccept(new IOException("too many open files, on purpose"));
        loop().onAcceptable();
        assertTrue(waiting.get(0).isOpen());
        assertEquals(0, limits.counts().refused());
    }

    // ---- the key ----------------------------------------------------------------------------------------------------

    @Test
    void shouldChangeTheNewKeyOnceTheSelectorWasRebuilt() throws IOException {
        limits.setMax(1);
        connect(2);
        AcceptLoop loop = loop();
        ScriptedKey fresh = new ScriptedKey(socket);
        loop.onKeyChanged(fresh);
        loop.onAcceptable();
        assertListens();
        assertEquals(0, fresh.interestOps());
    }

    @Test
    void shouldLeaveACancelledKeyAlone() throws IOException {
        limits.setMax(1);
        connect(2);
        AcceptLoop loop = loop();
        key.cancel();
        loop.onAcceptable();
        assertEquals(1, server.accepted().size());
        assertEquals(-1, deadlines.millisToNext(), "nothing has failed");
    }
}
