package org.freshet.channel.socket.nio.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptRate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A connection that is held while there is no room, and then no memory: the test carries out the steps of a boss. */
class HeldConnectionMemoryTest {
    private final List<SocketChannel> clients = new ArrayList<>();
    private final ScriptedServer server = new ScriptedServer(new Deadlines(System::nanoTime));
    private final ServerSocketChannel socket = ServerSocketChannel.open();
    private final Selector selector = Selector.open();
    private Runnable whileRoomIsTaken = () -> {};
    private final AcceptLimits limits = new AcceptLimits(new AcceptLimits.Rules(
            (peer, common) -> common,
            new AcceptRate(1_000, 1_000, () -> {
                whileRoomIsTaken.run();
                return System.nanoTime();
            }),
            false,
            false));
    private final AcceptLoop loop = new AcceptLoop(server, socket, limits);

    HeldConnectionMemoryTest() throws IOException {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        socket.configureBlocking(false);
        loop.onBound(socket.register(selector, SelectionKey.OP_ACCEPT));
    }

    @AfterEach
    void close() throws IOException {
        loop.onClosed();
        for (SocketChannel each : clients) {
            each.close();
        }
        for (SocketChannel each : server.accepted()) {
            each.close();
        }
        socket.close();
        selector.close();
    }

    private void connect() throws IOException {
        clients.add(SocketChannel.open(socket.getLocalAddress()));
        selector.select();
        selector.selectedKeys().clear();
    }

    /** As if the heap were full. */
    private static void loseReserve() throws ReflectiveOperationException {
        Field reserve = HeapReserve.class.getDeclaredField("reserve");
        reserve.setAccessible(true);
        reserve.set(null, null);
        assertTrue(HeapReserve.isMissing());
    }

    /** The selector doesn't report the server for that connection. */
    @Test
    void shouldServeAHeldConnectionOnceThereIsMemoryAgain() throws IOException, ReflectiveOperationException {
        connect();
        loop.onAcceptable();
        assertEquals(1, server.accepted().size());
        whileRoomIsTaken = () -> limits.setMax(1);
        connect();
        loop.onAcceptable();
        assertEquals(1, server.accepted().size(), "the second is held");
        whileRoomIsTaken = () -> {};

        limits.setMax(AcceptLimits.NO_LIMIT);
        assertEquals(1, server.wakeUps(), "there is room");
        loseReserve();
        loop.onRoom();
        assertEquals(1, server.accepted().size(), "there is no memory");
        assertTrue(HeapReserve.retake());
        assertEquals(2, server.wakeUps(), "the loop asks to be called again");
        loop.onRoom();
        assertEquals(2, server.accepted().size());
    }
}
