package org.freshet.channel.local;

import static org.freshet.channel.Channels.fireChannelOpen;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.freshet.channel.AbstractServerChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultChildChannelStateEvent;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptPermit;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.request.SerialExecutor;
import org.freshet.internal.transport.AcceptedChannels;
import org.freshet.internal.transport.LastSteps;
import org.freshet.internal.transport.LifecycleEvents;
import org.freshet.internal.transport.SecondBindException;

/**
 * A name that clients connect to. Any thread may call any method. Events run, and children are created, in the channel's
 * {@link SerialExecutor}, by {@link LocalEvents}.
 */
final class DefaultLocalServerChannel extends AbstractServerChannel
        implements LocalServerChannel, LocalEnd, SerialChannel, IoThreadBound, AcceptedChannels, AcceptLimits.Owner {
    /** OPEN until a bind begins, which may fail; CLOSED is final. Any thread may change it, in one atomic step. */
    enum Phase {
        OPEN,
        BINDING,
        BOUND,
        CLOSED
    }

    private static final VarHandle PHASE;

    static {
        try {
            PHASE = MethodHandles.lookup().findVarHandle(DefaultLocalServerChannel.class, "phase", Phase.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LocalServerConfig config = new LocalServerConfig();
    private final SerialExecutor serialExecutor = new SerialExecutor();

    /** The channels of the factory, including this one until it is closed. */
    private final Set<LocalEnd> live;

    private volatile Phase phase = Phase.OPEN;

    /** Known once bound, and kept after the close. */
    private volatile LocalAddress localAddress;

    /** Events only. */
    private final LifecycleEvents events = LifecycleEvents.of(this, false);

    /** What follows once the phase is CLOSED. */
    private final LastSteps lastSteps = new LastSteps(this::finishClose, events::closed, this::forget);

    DefaultLocalServerChannel(ChannelFactory factory, ChannelPipeline pipeline, Set<LocalEnd> live) {
        super(factory, pipeline, LocalServerSink.INSTANCE);
        this.live = live;
        live.add(this);
    }

    @Override
    public ChannelConfig getConfig() {
        return config;
    }

    @Override
    public boolean isBound() {
        return phase == Phase.BOUND;
    }

    @Override
    public LocalAddress getLocalAddress() {
        return localAddress;
    }

    @Override
    public LocalAddress getRemoteAddress() {
        return null;
    }

    @Override
    public SerialExecutor serialExecutor() {
        return serialExecutor;
    }

    @Override
    public boolean inIoThread() {
        return serialExecutor.isHeldByCurrentThread();
    }

    @Override
    public void runLater(Runnable task) {
        LocalEvents.later(serialExecutor, task);
    }

    private void later(Runnable event) {
        LocalEvents.later(serialExecutor, event);
    }

    @Override
    public AcceptLimits limits() {
        return config.limits();
    }

    // ---- life -------------------------------------------------------------------------------------------------------

    void open() {
        later(() -> fireChannelOpen(this));
    }

    /** If the bind fails, the server is closed. */
    void bind(ChannelFuture future, SocketAddress address) {
        if (!PHASE.compareAndSet(this, Phase.OPEN, Phase.BINDING)) {
            fail(
                    future,
                    phase == Phase.CLOSED ? ChannelClosedException.of(this) : new SecondBindException(localAddress));
            return;
        }
        try {
            LocalAddress claimed = LocalNames.claim(address, this);
            localAddress = claimed;
            if (!PHASE.compareAndSet(this, Phase.BINDING, Phase.BOUND)) {
                LocalNames.release(claimed, this);
                throw ChannelClosedException.of(this);
            }
        } catch (IOException | RuntimeException e) {
            CloseReason reason = CloseReason.of(CloseReason.Kind.BIND_FAILED, null, e);
            noteCloseReason(reason);
            fail(future, e);
            closeNow(reason);
            return;
        }
        future.setSuccess();
        later(() -> events.bound(localAddress));
    }

    private void fail(ChannelFuture future, Exception cause) {
        future.setFailure(cause);
        if (!(cause instanceof ClosedChannelException)) { // channelClosed was the handlers' last event
            later(() -> events.failed(cause));
        }
    }

    void close(ChannelFuture future) {
        if (future != getCloseFuture()) {
            getCloseFuture().addListener(closed -> future.setSuccess());
        }
        closeNow(CloseReason.LOCAL);
    }

    @Override
    public void onShutdown() {
        closeNow(CloseReason.SHUTDOWN);
    }

    private void closeNow(CloseReason reason) {
        setClosing(reason);
        if (PHASE.getAndSet(this, Phase.CLOSED) == Phase.CLOSED) {
            return;
        }
        lastSteps.run();
    }

    /** May be called again after an OutOfMemoryError. */
    private void finishClose(Runnable lastEvents) {
        if (localAddress != null) {
            LocalNames.release(localAddress, this);
        }
        setClosed();
        later(lastEvents);
    }

    private void forget() {
        live.remove(this);
    }

    @Override
    public CompletableFuture<List<Channel>> acceptedChannels() {
        CompletableFuture<List<Channel>> accepted = new CompletableFuture<>();
        later(() -> accepted.complete(children())); // after the connects that came before
        return accepted;
    }

    private List<Channel> children() {
        List<Channel> children = new ArrayList<>();
        for (LocalEnd end : live) {
            if (end instanceof Channel channel && channel.getParent() == this) {
                children.add(channel);
            }
        }
        return children;
    }

    // ---- accepting --------------------------------------------------------------------------------------------------

    /** Creates the other end of a client's connection. */
    void accept(DefaultLocalChannel client, ChannelFuture future) {
        later(() -> onConnect(client, future));
    }

    private void onConnect(DefaultLocalChannel client, ChannelFuture future) {
        if (phase != Phase.BOUND) {
            client.onConnectFailed(future, LocalNames.refused(localAddress));
            return;
        }
        AcceptPermit permit = config.limits().newPermit();
        DefaultLocalChannel child = null;
        try {
            if (permit.admit(null) != null) { // a local connect cannot wait
                client.onConnectFailed(future, LocalNames.full(localAddress));
                return;
            }
            DefaultLocalChannel made = newChild(client);
            permit.handOver(made.getCloseFuture());
            child = made;
        } catch (Throwable t) {
            onSetUpFailed(t, client, future);
        } finally {
            if (child == null) {
                permit.release();
            }
        }
        if (child != null) {
            start(child, client, future);
        }
    }

    private void onSetUpFailed(Throwable cause, DefaultLocalChannel client, ChannelFuture future) {
        ConnectException refused = LocalNames.refused(localAddress);
        refused.initCause(cause);
        try {
            events.failed(cause);
        } finally {
            client.onConnectFailed(future, refused);
        }
    }

    private void start(DefaultLocalChannel child, DefaultLocalChannel client, ChannelFuture future) {
        try {
            getPipeline().sendUpstream(new DefaultChildChannelStateEvent(this, child));
            child.startAccepted();
            if (!client.onAccepted(child, future)) {
                child.takeLater();
            }
        } catch (VirtualMachineError noMemory) {
            child.closeNow(CloseReason.of(CloseReason.Kind.HANDLER_FAILED));
            onSetUpFailed(noMemory, client, future);
        }
    }

    private DefaultLocalChannel newChild(DefaultLocalChannel client) throws Exception {
        ChannelPipelineFactory pipelineFactory = config.getPipelineFactory();
        if (pipelineFactory == null) {
            throw new ChannelException("no pipelineFactory is set for the connections of " + this);
        }
        return new DefaultLocalChannel(this, pipelineFactory.getPipeline(), live, client);
    }
}
