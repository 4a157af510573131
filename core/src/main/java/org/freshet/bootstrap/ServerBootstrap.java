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
 * <p><b>Two kinds of channel.</b> The pipeline and the pipeline factory are for the accepted channels. The server channel has its own
 * pipeline, with the {@link #setParentHandler parent handler} in it if you set one. Likewise, options whose key starts with {@code child.}
 * are for the accepted channels, the others for the server channel.
 *
 * <p><b>Changing options.</b> Child options can be changed while servers run; the change applies to connections that any of this
 * bootstrap's servers accepts afterwards. A change that accepted channels could not take is refused immediately. If an option still fails
 * on a connection, that connection gets {@code exceptionCaught} and is closed. {@link ChannelOption#MAX_CONNECTIONS} and
 * {@link ChannelOption#MAX_CONNECTIONS_PER_ADDRESS} also apply to running servers. Changes to the server channel's other options, and to
 * the pipeline, apply to servers bound afterwards.
 *
 * <p>Threads: see {@link Bootstrap}. Child options are applied on the server channel's I/O thread, before the accepted channel's first
 * event.
 */
public class ServerBootstrap extends Bootstrap {
    private static final String CHILD_PREFIX = "child.";

    /** The options that can be changed while a server runs. */
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
     * Sets the channel factory. It can be set only once.
     *
     * @param factory a {@link ServerChannelFactory}
     * @throws IllegalArgumentException if it is another kind of factory
     * @throws IllegalStateException if one is already set
     */
    @Override
    public void setFactory(ChannelFactory factory) {
        Objects.requireNonNull(factory, "factory");
        if (!(factory instanceof ServerChannelFactory)) {
            throw new IllegalArgumentException("factory is not a ServerChannelFactory: " + factory.getClass());
        }
        super.setFactory(factory);
    }

    /** Returns the handler in the pipeline of each server channel; null if none is set. */
    public ChannelHandler getParentHandler() {
        return parentHandler;
    }

    /**
     * Sets a handler for the events of the server channels themselves.
     *
     * @param parentHandler must be {@link ChannelHandler.Sharable} if you bind more than one server; null for none
     */
    public void setParentHandler(ChannelHandler parentHandler) {
        this.parentHandler = parentHandler;
    }

    /** Returns the guard that limits connections; null if none is set. */
    public AcceptGuard getAcceptGuard() {
        return acceptGuard;
    }

    /**
     * Limits the connections of servers bound afterwards.
     *
     * @param acceptGuard may be shared with other bootstraps; null for none
     */
    public void setAcceptGuard(AcceptGuard acceptGuard) {
        this.acceptGuard = acceptGuard;
    }

    /**
     * Sets an option of accepted channels by its constant; the same as setting its key with the prefix {@code child.}.
     *
     * @param option the option
     * @param value its value; null removes the option
     * @param <T> its type
     * @throws IllegalArgumentException if the value is out of range
     */
    public <T> void setChildOption(ChannelOption<T> option, T value) {
        setOption(CHILD_PREFIX + option.key(), value == null ? null : option.convert(value));
    }

    /**
     * Returns an option of accepted channels.
     *
     * @param option the option
     * @param <T> its type
     * @return its value; null if it is not set
     */
    public <T> T getChildOption(ChannelOption<T> option) {
        Object value = getOption(CHILD_PREFIX + option.key());
        return value == null ? null : option.convert(value);
    }

    /**
     * Opens a server at the {@code localAddress} option, and waits until it is bound.
     *
     * @return the bound server channel
     * @throws IllegalStateException if {@code localAddress} is not set, or if called on an I/O thread of the channel
     * @throws org.freshet.channel.ChannelException if the bind fails; the channel is closed then
     */
    public Channel bind() {
        return bind(requireAddress(LOCAL_ADDRESS, "bind"));
    }

    /**
     * Opens a server, and waits until it is bound.
     *
     * @param localAddress the address to listen on
     * @return the bound server channel
     * @throws IllegalStateException if called on an I/O thread of the channel
     * @throws org.freshet.channel.ChannelException if the bind fails; the channel is closed then
     */
    public Channel bind(SocketAddress localAddress) {
        return awaitBound(bindAsync(localAddress), localAddress);
    }

    /**
     * Opens a server at the {@code localAddress} option, without waiting.
     *
     * @return see {@link #bindAsync(SocketAddress)}
     * @throws IllegalStateException if {@code localAddress} is not set
     */
    public ChannelFuture bindAsync() {
        return bindAsync(requireAddress(LOCAL_ADDRESS, "bindAsync"));
    }

    /**
     * Opens a server, without waiting.
     *
     * @param localAddress the address to listen on
     * @return done when the server is bound. If an option is refused or the address cannot be bound, it fails after the channel was closed.
     *     Cancelling it closes the channel.
     */
    public ChannelFuture bindAsync(SocketAddress localAddress) {
        Objects.requireNonNull(localAddress, "localAddress");
        Channel channel = getFactory().newChannel(newParentPipeline());
        ChannelFuture result = new DefaultChannelFuture(channel, true);
        result.addListener(BootstrapFutures.CLOSE_UNLESS_SUCCESS);
        try {
            OptionSnapshot options = optionSnapshot();
            if (channel.isOpen()) { // otherwise the factory has been shut down, and the bind fails
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
     * Stops all servers of this bootstrap and lets their connections finish their work. A shortcut for a {@link Drain} with default
     * settings.
     *
     * @param deadline when to close unfinished connections; 0 or more
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
            throw new IllegalStateException(
                    "this transport's servers do not support an AcceptGuard: " + server.getClass());
        }
    }

    // ---- changes while servers run ----------------------------------------------------------------------------------

    /** Of threads that change options at the same time, each goes on until it has applied the latest snapshot. */
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

    /**
     * @param configured the options that the channel was given
     */
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
