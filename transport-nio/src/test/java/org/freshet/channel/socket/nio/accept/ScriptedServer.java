package org.freshet.channel.socket.nio.accept;

import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.AbstractServerChannel;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.internal.accept.AcceptPermit;

/** A bound server that keeps each connection as it is, with its permit. */
final class ScriptedServer extends AbstractServerChannel implements AcceptLoop.Server {
    private final Deadlines deadlines;
    private final List<SocketChannel> accepted = new ArrayList<>();
    private final List<AcceptPermit> permits = new ArrayList<>();
    private boolean keepsPermits = true;
    private boolean isBound = true;
    private Runnable whenAccepted = () -> {};
    private int wakeUps;

    ScriptedServer(Deadlines deadlines) {
        super(null, Channels.pipeline(), new AbstractChannelSink() {
            @Override
            public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
                throw new UnsupportedOperationException();
            }
        });
        this.deadlines = deadlines;
    }

    List<SocketChannel> accepted() {
        return accepted;
    }

    List<AcceptPermit> permits() {
        return permits;
    }

    int wakeUps() {
        return wakeUps;
    }

    /** Whether connections hold their permits; otherwise they count as not served. */
    void keepPermits(boolean keeps) {
        keepsPermits = keeps;
    }

    void loseBinding() {
        isBound = false;
    }

    void whenAccepted(Runnable action) {
        whenAccepted = action;
    }

    @Override
    public Deadlines deadlines() {
        return deadlines;
    }

    @Override
    public void wakeAccepting() {
        wakeUps++;
    }

    @Override
    public boolean onAccepted(SocketChannel connection, AcceptPermit permit) {
        accepted.add(connection);
        permits.add(permit);
        whenAccepted.run();
        return keepsPermits;
    }

    @Override
    public ChannelConfig getConfig() {
        return null;
    }

    @Override
    public boolean isBound() {
        return isBound;
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
