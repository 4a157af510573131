package org.freshet.bootstrap;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.ServerChannelFactory;
import org.freshet.internal.accept.AcceptCounts;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.options.ChildOptions;

/**
 * Opens server channels, which accept connections.
 *
 * <pre>{@code
 * ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(new MyHandler()));
 * bootstrap.setOption(ChannelOption.BACKLOG, 1024);
 * bootstrap.setChildOption(ChannelOption.TCP_NODELAY, true); // or setOption("child.tcpNoDelay", true)
 * Channel server = bootstrap.bind(new InetSocketAddress(8080));
 * }</pre>
 *
 * <p><b>Two kinds of channel.</b> The pipeline and the pipeline factory are for the accepted channels. The server channel has a
 * pipeline of its own, with the {@link #setParentHandler parent handler} in it if there is one. Likewise, options whose key
 * starts with {@code child.} are for the accepted channels and the others for the server channel.
 *
 * <p><b>Changing options.</b> Child options may be changed while servers run, and apply to the connections accepted afterwards
 * by all of this bootstrap's servers. A change that accepted channels could not take is refused when it is made. If an option
 * still fails on a connection, that connection gets {@code exceptionCaught} and is closed. {@link ChannelOption#MAX_CONNECTIONS} and {@link
 * ChannelOption#MAX_CONNECTIONS_PER_ADDRESS}, too, apply to the servers that run. Other changed options of the server channel
 * itself, and a changed pipeline, apply to servers bound afterwards.
 *
 * <p>Threads: see {@link Bootstrap}. Child options are applied on the server channel's I/O thread, before the accepted channel
 * has its first event.
 */
public class ServerBootstrap extends Bootstrap {
    private static final String CHILD_PREFIX = "child.";

    /** What can be changed while a server runs. */
    private static final List<String> LIMITS =
            List.of(ChannelOption.MAX_CONNECTIONS.key(), ChannelOption.MAX_CONNECTIONS_PER_ADDRESS.key());

    private final AcceptCounts refused = new AcceptCounts();

    private volatile boolean isAcceptingPaused;
    private volatile ChannelHandler parentHandler;
    private volatile AcceptGuard acceptGuard;

    public ServerBootstrap() {}

    public ServerBootstrap(ChannelFactory channelFactory) {
        super(channelFactory);
    }

    /**
     * Sets the factory, once.
     *
     * @param factory a {@link ServerChannelFactory}
     * @throws IllegalArgumentException when it is another kind of factory
     * @throws IllegalStateException when there is one already
     */
    @Override
    public void setFactory(ChannelFactory factory) {
        Objects.requireNonNull(factory, "factory");
        if (!(factory instanceof ServerChannelFactory)) {
            throw new IllegalArgumentException("factory is not a ServerChannelFactory: " + factory.getClass());
        }
        super.setFactory(factory);
    }

    /** The handler in the pipeline of each server channel; null when there is none. */
    public ChannelHandler getParentHandler() {
        return parentHandler;
    }

    /**
     * Sets a handler for the events of the server channels themselves.
     *
     * @param parentHandler one that is {@link ChannelHandler.Sharable} if more than one server will be bound; null for none
     */
    public void setParentHandler(ChannelHandler parentHandler) {
        this.parentHandler = parentHandler;
    }

    /** What bounds the connections of servers; null when nothing does. */
    public AcceptGuard getAcceptGuard() {
        return acceptGuard;
    }

    /**
     * Bounds the connections of the servers that are bound from now on.
     *
     * @param acceptGuard which other bootstraps may have, too; null for none
     */
    public void setAcceptGuard(AcceptGuard acceptGuard) {
        this.acceptGuard = acceptGuard;
    }

    /**
     * Sets an option of accepted channels by its constant; the same as setting {@code child.} and its key.
     *
     * @param option the option
     * @param value its value; null removes the option
     * @param <T> its type
     * @throws IllegalArgumentException when the value is out of range
     */
    public <T> void setChildOption(ChannelOption<T> option, T value) {
        setOption(CHILD_PREFIX + option.key(), value == null ? null : option.convert(value));
    }

    /**
     * An option of accepted channels.
     *
     * @param option the option
     * @param <T> its type
     * @return its value; null when it is not set
     */
    public <T> T getChildOption(ChannelOption<T> option) {
        Object value = getOption(CHILD_PREFIX + option.key());
        return value == null ? null : option.convert(value);
    }

    /**
     * Opens a server at the {@code localAddress} option, and waits until it is bound.
     *
     * @return the bound server channel
     * @throws IllegalStateException when {@code localAddress} is not set, or when an I/O thread of the channel calls
     * @throws org.freshet.channel.ChannelException when it cannot be bound; the channel is closed then
     */
    public Channel bind() {
        return bind(requireAddress(LOCAL_ADDRESS, "bind"));
    }

    /**
     * Opens a server, and waits until it is bound.
     *
     * @param localAddress where to listen
     * @return the bound server channel
     * @throws IllegalStateException when an I/O thread of the channel calls
     * @throws org.freshet.channel.ChannelException when it cannot be bound; the channel is closed then
     */
    public Channel bind(SocketAddress localAddress) {
        return awaitBound(bindAsync(localAddress), localAddress);
    }

    /**
     * Opens a server at the {@code localAddress} option.
     *
     * @return as that of {@link #bindAsync(SocketAddress)}
     * @throws IllegalStateException when {@code localAddress} is not set
     */
    public ChannelFuture bindAsync() {
        return bindAsync(requireAddress(LOCAL_ADDRESS, "bindAsync"));
    }

    /**
     * Opens a server.
     *
     * @param localAddress where to listen
     * @return done when the server is bound. It fails when an option is refused or the address cannot be bound, after the channel
     *     was closed. Cancelling it closes the channel.
     */
    public ChannelFuture bindAsync(SocketAddress localAddress) {
        Objects.requireNonNull(localAddress, "localAddress");
        Channel channel = getFactory().newChannel(newParentPipeline());
        ChannelFuture result = new DefaultChannelFuture(channel, true);
        result.addListener(BootstrapFutures.CLOSE_UNLESS_SUCCESS);
        try {
            OptionSnapshot options = optionSnapshot();
            if (channel.isOpen()) { // else the factory has been shut down, and the bind fails
                configure(channel.getConfig(), options);
                guard(channel);
            }
            channel.bind(localAddress).addListener(bind -> finish(bind, result, options));
        } catch (RuntimeException | Error e) {
            boolean isShutDown = BootstrapFutures.isShutDown(channel);
            BootstrapFutures.closeThenFail(result, isShutDown ? ChannelClosedException.of(channel) : e);
        }
        return result;
    }

    /**
     * Stops all servers of this bootstrap and lets their connections finish their work; short for a {@link Drain} with its defaults.
     *
     * @param deadline when connections that are not done are closed; 0 or more
     * @return completes when all connections have ended, on a thread that may call {@link #releaseExternalResources()}
     */
    public CompletableFuture<DrainReport> drain(Duration deadline) {
        return Drain.of(this).deadline(deadline).start();
    }

    @Override
    String childPrefix() {
        return CHILD_PREFIX;
    }

    @Override
    void checkLive(OptionSnapshot candidate) {
        for (Channel server : boundChannels()) {
            checkChildOptions(server.getConfig(), candidate);
        }
    }

    @Override
    String managedType() {
        return "ServerBootstrap";
    }

    private ChannelPipeline newParentPipeline() {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("childSetup", new ChildSetup(this));
        ChannelHandler handler = parentHandler;
        if (handler != null) {
            pipeline.addLast("parentHandler", handler);
        }
        return pipeline;
    }

    private void configure(ChannelConfig config, OptionSnapshot options) {
        config.setPipelineFactory(getPipelineFactory());
        config.setOptions(options.own());
        checkChildOptions(config, options);
    }

    private void guard(Channel server) {
        AcceptGuard guard = acceptGuard;
        if (server instanceof AcceptLimits.Owner guarded) {
            guarded.limits().countIn(refused);
            if (guard != null) {
                guarded.limits().share(guard.limits());
            }
        } else if (guard != null) {
            throw new IllegalStateException("servers of this transport take no AcceptGuard: " + server.getClass());
        }
    }

    // ---- changes while servers run ----------------------------------------------------------------------------------

    /** Whoever changes an option ends with the last of all changes. */
    @Override
    void onOptionsChanged(OptionSnapshot before, OptionSnapshot after) {
        for (OptionSnapshot from = before, to = after; from != to; from = to, to = optionSnapshot()) {
            for (String key : LIMITS) {
                Object limit = to.own().get(key);
                if (!Objects.equals(limit, from.own().get(key))) {
                    boundChannels().forEach(server -> server.getConfig().setOption(key, limit == null ? 0 : limit));
                }
            }
        }
    }

    @Override
    void setAcceptingPaused(boolean isPaused) {
        isAcceptingPaused = isPaused;
        boundChannels().forEach(this::applyPause);
    }

    private void applyPause(Channel server) {
        if (server instanceof AcceptLimits.Owner guarded) {
            boolean isPaused;
            do {
                isPaused = isAcceptingPaused;
                guarded.limits().setPaused(isPaused);
            } while (isPaused != isAcceptingPaused);
        }
    }

    @Override
    boolean isAcceptingPaused() {
        return isAcceptingPaused;
    }

    @Override
    Map<String, Long> refusedByCause() {
        return refused.refusedByCause();
    }

    private static void checkChildOptions(ChannelConfig config, OptionSnapshot options) {
        if (config instanceof ChildOptions accepting) {
            accepting.checkChildOptions(options.child());
        }
    }

    /** @param configured the options that the channel was given */
    private void finish(ChannelFuture bind, ChannelFuture result, OptionSnapshot configured) {
        if (!bind.isSuccess()) {
            BootstrapFutures.closeThenFail(result, BootstrapFutures.causeOf(bind));
            return;
        }
        bound(bind.getChannel());
        onOptionsChanged(configured, optionSnapshot());
        applyPause(bind.getChannel());
        result.setSuccess();
    }
}
