package org.freshet.channel.socket.nio.accept;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/** A listening socket whose connections and failures come from a test. For one thread. */
final class ScriptedServerSocket extends ServerSocketChannel {
    private final Deque<SocketChannel> backlog = new ArrayDeque<>();
    private Runnable duringNext = () -> {};
    private IOException nextFailure;
    private IOException emptyFailure;

    ScriptedServerSocket() {
        super(SelectorProvider.provider());
    }

    /** The connections that wait to be accepted. */
    Deque<SocketChannel> backlog() {
        return backlog;
    }

    void failNextAccept(IOException failure) {
        nextFailure = failure;
    }

    /** Fails each accept that finds no connection. */
    void failAcceptWithEmptyBacklog(IOException failure) {
        emptyFailure = failure;
    }

    /** Runs an action once, in the middle of the next accept. */
    void duringNextAccept(Runnable action) {
        duringNext = action;
    }

    @Override
    public SocketChannel accept() throws IOException {
        Runnable action = duringNext;
        duringNext = () -> {};
        action.run();
        IOException failure = nextFailure;
        nextFailure = null;
        if (failure == null && backlog.isEmpty()) {
            failure = emptyFailure;
        }
        if (failure != null) {
            throw failure;
        }
        return backlog.poll();
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlogSize) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public ServerSocket socket() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SocketAddress getLocalAddress() {
        return null;
    }

    @Override
    protected void implCloseSelectableChannel() {}

    @Override
    protected void implConfigureBlocking(boolean block) {}
}
