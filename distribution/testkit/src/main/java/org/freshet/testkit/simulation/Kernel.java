package org.freshet.testkit.simulation;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One host's TCP: its open sockets, its listeners, and the network between them, which delivers when its turn comes.
 * For the thread that holds the {@link Baton}.
 */
final class Kernel implements Baton.Nature {
    private static final int FIRST_PORT = 40_000;
    private static final InetAddress HOST = host();

    private final Draw draw;

    /** Keyed by port. */
    private final Map<Integer, SimulatedServerSocket> listening = new HashMap<>();

    /** Keyed by local and remote port. */
    private final Map<Long, SimulatedSocket> connected = new HashMap<>();

    /** Sockets that the network may have work for, each once. */
    private final List<SimulatedSocket> active = new ArrayList<>();

    private final List<SimulatedSocket> able = new ArrayList<>();
    private final List<SimulatedSelector> selectors = new ArrayList<>();
    private Baton baton;
    private final boolean isLarge;
    private int nextPort = FIRST_PORT;
    private int open;
    private int lastSocketId;
    private int keys;

    Kernel(Draw draw) {
        this.draw = draw;
        isLarge = draw.oneIn(4);
    }

    void setBaton(Baton baton) {
        this.baton = baton;
    }

    private static InetAddress host() {
        try {
            return InetAddress.getByAddress("simulated", new byte[] {10, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static InetSocketAddress address(int port) {
        return new InetSocketAddress(HOST, port);
    }

    Baton baton() {
        return baton;
    }

    Draw draw() {
        return draw;
    }

    FaultRates faults() {
        return baton.faults();
    }

    /** Returns whether a fault happens now; records it if so. */
    boolean fault(String what, int perMille) {
        boolean happens = draw.chance(perMille);
        if (happens) {
            baton.note("fault: " + what, 0, 0);
        }
        return happens;
    }

    void onSelector(SimulatedSelector selector) {
        selectors.add(selector);
    }

    /** Called when a thread has done something that may change which keys are ready. */
    void onProgress() {
        for (SimulatedSelector selector : selectors) {
            if (selector.isOfThisThread()) {
                selector.onProgress();
            }
        }
    }

    // ---- sockets ----------------------------------------------------------------------------------------------------

    void onOpen() throws IOException {
        if (fault("no descriptors", faults().noDescriptors())) {
            throw new SocketException("Too many open files");
        }
    }

    int nextSocketId() {
        open++;
        return ++lastSocketId;
    }

    void onClosed() {
        open--;
    }

    int openSockets() {
        return open;
    }

    void onKeys(int change) {
        keys += change;
    }

    /** Returns the number of keys that selectors hold. */
    int keys() {
        return keys;
    }

    /** Binds the port of the address, or a free one. */
    InetSocketAddress bind(SocketAddress wanted) throws IOException {
        int port = wanted == null ? 0 : checked(wanted).getPort();
        if (port == 0) {
            return address(nextPort++);
        }
        if (listening.containsKey(port)) {
            throw new BindException("Address already in use");
        }
        return address(port);
    }

    static InetSocketAddress checked(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            throw new UnsupportedAddressTypeException();
        }
        if (inet.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        return inet;
    }

    void listen(SimulatedServerSocket server, int port) {
        listening.put(port, server);
    }

    void endListening(SimulatedServerSocket server, int port) {
        listening.remove(port, server);
    }

    /** Returns null if no socket listens there. */
    SimulatedServerSocket listener(SocketAddress address) {
        return listening.get(((InetSocketAddress) address).getPort());
    }

    private static long pair(SocketAddress local, SocketAddress remote) {
        return (long) ((InetSocketAddress) local).getPort() << 32 | ((InetSocketAddress) remote).getPort();
    }

    void onConnected(SimulatedSocket socket, SocketAddress local, SocketAddress remote) {
        connected.put(pair(local, remote), socket);
    }

    /** Returns the socket of a connection, even after its end. */
    SimulatedSocket connection(SocketAddress local, SocketAddress remote) {
        return connected.get(pair(local, remote));
    }

    /** Returns a pipe whose capacity suits the size of the run's messages. */
    Pipe newPipe() {
        return isLarge
                ? new Pipe(draw.oneOf(5_000, 70_000, 200_000), draw.oneOf(5_000, 70_000, 200_000))
                : new Pipe(draw.oneOf(30, 300, 3_000), draw.oneOf(30, 300, 3_000));
    }

    /** Returns whether messages should be large. Without that, a run would take too long or never fill a buffer. */
    boolean isLarge() {
        return isLarge;
    }

    // ---- the network ------------------------------------------------------------------------------------------------

    void onActive(SimulatedSocket socket) {
        active.add(socket);
    }

    @Override
    public boolean canAct() {
        able.clear();
        for (int i = active.size() - 1; i >= 0; i--) {
            SimulatedSocket socket = active.get(i);
            if (socket.isDead()) {
                active.remove(i);
            } else if (socket.canDeliver()) {
                able.add(socket);
            }
        }
        return !able.isEmpty();
    }

    @Override
    public void act() {
        able.get(draw.below(able.size())).deliver();
    }
}
