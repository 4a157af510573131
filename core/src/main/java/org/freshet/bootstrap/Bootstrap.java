package org.freshet.bootstrap;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineException;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.internal.metering.TrafficMeter;
import org.freshet.util.ExternalResourceReleasable;

/**
 * Base class of the bootstraps: holds the factory, the pipeline and the options of the channels they create.
 *
 * <p><b>Pipeline.</b> Either a pipeline whose handlers are added to that of each new channel ({@link #setPipeline}, for a single channel or
 * for sharable handlers), or a factory that creates one per channel ({@link #setPipelineFactory}). The last one set applies.
 *
 * <p><b>Options.</b> Values by key, as described in {@link ChannelOption}, applied to each channel before it is bound or connected. The
 * value of a known option is checked when it is set. A key unknown to the channel's config is logged once as a warning when the channel is
 * created, or refused with {@code -Dorg.freshet.strictOptions=true}. {@code localAddress} and {@code remoteAddress} are not passed to the
 * channel: they are the addresses to use when a call doesn't give one.
 *
 * <p><b>Threads.</b> Any thread may use a bootstrap. A change affects channels created afterwards. Only the methods that say so block.
 */
public class Bootstrap implements ExternalResourceReleasable {
    static final ChannelOption<SocketAddress> LOCAL_ADDRESS = ChannelOption.object("localAddress", SocketAddress.class);
    static final ChannelOption<SocketAddress> REMOTE_ADDRESS =
            ChannelOption.object("remoteAddress", SocketAddress.class);

    /** The JDK's maps that iterate in the order of hash codes. */
    private static final Set<Class<?>> UNORDERED_MAPS = Set.of(
            HashMap.class,
            Hashtable.class,
            ConcurrentHashMap.class,
            IdentityHashMap.class,
            WeakHashMap.class,
            Map.of(1, 1, 2, 2).getClass());

    private final AtomicReference<OptionSnapshot> options = new AtomicReference<>(OptionSnapshot.EMPTY);
    /** Holds null while the bootstrap is not registered with JMX; nothing is counted then. */
    private final AtomicReference<BootstrapManagement> management = new AtomicReference<>();
    /** The open channels passed to {@link #bound}. */
    private final Set<Channel> boundChannels = ConcurrentHashMap.newKeySet();

    private volatile ChannelFactory factory;
    private volatile PipelineSource pipelineSource = PipelineSource.copying(Channels.pipeline());

    /** Creates a bootstrap without a factory; set one before you open a channel. */
    protected Bootstrap() {}

    /**
     * Creates a bootstrap for a transport.
     *
     * @param channelFactory creates the channels
     */
    protected Bootstrap(ChannelFactory channelFactory) {
        setFactory(channelFactory);
    }

    /**
     * Returns the channel factory.
     *
     * @throws IllegalStateException if none is set
     */
    public ChannelFactory getFactory() {
        ChannelFactory current = factory;
        if (current == null) {
            throw new IllegalStateException("factory is not set");
        }
        return current;
    }

    /**
     * Sets the channel factory. It can be set only once.
     *
     * @param factory creates the channels
     * @throws IllegalStateException if one is already set
     */
    public void setFactory(ChannelFactory factory) {
        Objects.requireNonNull(factory, "factory");
        if (this.factory != null) {
            throw new IllegalStateException("factory is already set: " + this.factory);
        }
        this.factory = factory;
    }

    /**
     * Returns the pipeline whose handlers new channels get. You may change it; channels created afterwards get the change.
     *
     * @throws IllegalStateException if a pipeline factory is set instead
     */
    public ChannelPipeline getPipeline() {
        return pipelineSource.pipeline();
    }

    /**
     * Sets the pipeline whose handlers new channels get, in place of a pipeline factory.
     *
     * @param pipeline a pipeline that belongs to no channel
     */
    public void setPipeline(ChannelPipeline pipeline) {
        pipelineSource = PipelineSource.copying(Objects.requireNonNull(pipeline, "pipeline"));
    }

    /**
     * Returns the handlers that new channels get, by name and in order: a copy.
     *
     * @throws IllegalStateException if a pipeline factory is set instead
     */
    public Map<String, ChannelHandler> getPipelineAsMap() {
        return pipelineSource.pipeline().toMap();
    }

    /**
     * Sets the handlers that new channels get, in place of a pipeline factory.
     *
     * @param pipelineMap handlers by name, in the order of the map's entries, such as a {@link LinkedHashMap} or a {@link SortedMap}
     * @throws IllegalArgumentException if the map has more than one handler and no defined order: a hash map of {@code java.util}, or one
     *     made by {@link Map#of()}. Other maps, including wrappers, are not checked.
     */
    public void setPipelineAsMap(Map<String, ChannelHandler> pipelineMap) {
        Objects.requireNonNull(pipelineMap, "pipelineMap");
        if (pipelineMap.size() > 1 && UNORDERED_MAPS.contains(pipelineMap.getClass())) {
            throw new IllegalArgumentException("pipelineMap has no defined order; use a LinkedHashMap: "
                    + pipelineMap.getClass().getName());
        }
        ChannelPipeline pipeline = Channels.pipeline();
        pipelineMap.forEach(pipeline::addLast);
        setPipeline(pipeline);
    }

    /** Returns the pipeline factory that was set, or else one that copies {@link #getPipeline()}. */
    public ChannelPipelineFactory getPipelineFactory() {
        return pipelineSource.factory();
    }

    /**
     * Sets the factory that creates the pipelines of new channels. {@link #getPipeline()} and {@link #getPipelineAsMap()} fail from then
     * on, until a pipeline is set again.
     *
     * @param pipelineFactory called once per channel
     */
    public void setPipelineFactory(ChannelPipelineFactory pipelineFactory) {
        pipelineSource = PipelineSource.making(Objects.requireNonNull(pipelineFactory, "pipelineFactory"));
    }

    /** Returns the options as they were set, by key: a sorted copy. */
    public Map<String, Object> getOptions() {
        return options.get().given();
    }

    /**
     * Replaces all options in one step.
     *
     * @param options values by key; null values count as absent
     * @throws IllegalArgumentException if the value of a known option has the wrong type or is out of range; no option is changed then
     */
    public void setOptions(Map<String, Object> options) {
        OptionSnapshot replacement = OptionSnapshot.of(Objects.requireNonNull(options, "options"), childPrefix());
        changeOptions(old -> replacement);
    }

    /**
     * Returns an option as it was set.
     *
     * @param key the option's name
     * @return its value; null if it is not set
     */
    public Object getOption(String key) {
        return options.get().get(Objects.requireNonNull(key, "key"));
    }

    /**
     * Sets an option for channels created afterwards.
     *
     * @param key the option's name
     * @param value its value, in one of the forms that {@link ChannelOption} describes; null removes the option
     * @throws IllegalArgumentException if the value of a known option has the wrong type or is out of range
     */
    public void setOption(String key, Object value) {
        Objects.requireNonNull(key, "key");
        changeOptions(old -> old.with(key, value, childPrefix()));
    }

    /**
     * Returns an option by its constant.
     *
     * @param option the option
     * @param <T> its type
     * @return its value; null if it is not set
     */
    public <T> T getOption(ChannelOption<T> option) {
        Object value = getOption(option.key());
        return value == null ? null : option.convert(value);
    }

    /**
     * Sets an option for channels created afterwards, by its constant.
     *
     * @param option the option
     * @param value its value; null removes the option
     * @param <T> its type
     * @throws IllegalArgumentException if the value is out of range
     */
    public <T> void setOption(ChannelOption<T> option, T value) {
        setOption(option.key(), value == null ? null : option.convert(value));
    }

    /**
     * Registers this bootstrap with JMX, as {@code org.freshet:type=ServerBootstrap,name=...} (or {@code ClientBootstrap},
     * {@code ConnectionlessBootstrap}) in the platform's MBean server; see {@link BootstrapMXBean}.
     *
     * <p>Only connections opened after the registration are counted, with their bytes. Counting costs nothing while a bootstrap is not
     * registered.
     *
     * @param name distinguishes this bootstrap from others of its type
     * @return ends the registration when closed; {@link #shutdown()} and {@link #releaseExternalResources()} end it too
     * @throws IllegalStateException if it is already registered, or the name is taken
     */
    public BootstrapRegistration registerMBean(String name) {
        return BootstrapManagement.register(this, Objects.requireNonNull(name, "name"));
    }

    /**
     * Ends the JMX registration and stops the factory's threads and selectors. Blocks until they have stopped, so never call it from one of
     * them. Close the channels first.
     */
    @Override
    public void releaseExternalResources() {
        endManagement();
        ChannelFactory current = factory;
        if (current != null) {
            current.releaseExternalResources();
        }
    }

    /** Ends the JMX registration and shuts the factory down; see {@link ChannelFactory#shutdown()}. */
    public void shutdown() {
        endManagement();
        ChannelFactory current = factory;
        if (current != null) {
            current.shutdown();
        }
    }

    /** The key prefix of the options for accepted channels; null if the bootstrap accepts none. */
    String childPrefix() {
        return null;
    }

    /** Refuses options that the open channels cannot accept. */
    void checkLive(OptionSnapshot candidate) {}

    /** Applies the changes that are allowed while channels are open. */
    void onOptionsChanged(OptionSnapshot before, OptionSnapshot after) {}

    /** How many connections this bootstrap's channels have refused, by cause. */
    Map<String, Long> refusedByCause() {
        return Map.of();
    }

    /** Pauses accepting on this bootstrap's servers, or resumes it. */
    void setAcceptingPaused(boolean isPaused) {
        throw new IllegalStateException("not a ServerBootstrap");
    }

    boolean isAcceptingPaused() {
        return false;
    }

    /** The {@code type} shown in JMX. */
    String managedType() {
        return "Bootstrap";
    }

    final OptionSnapshot optionSnapshot() {
        return options.get();
    }

    final List<Channel> boundChannels() {
        return new ArrayList<>(boundChannels);
    }

    /** Null while the bootstrap is not registered with JMX. */
    final TrafficMeter meter() {
        BootstrapManagement current = management.get();
        return current == null ? null : current.meter();
    }

    final void manageBy(BootstrapManagement newcomer) {
        BootstrapManagement present = management.compareAndExchange(null, newcomer);
        if (present != null) {
            throw new IllegalStateException("already registered as " + present.objectName());
        }
    }

    /** Returns false if it had ended before. */
    final boolean stopManagingBy(BootstrapManagement present) {
        return management.compareAndSet(present, null);
    }

    final ChannelFactory factoryOrNull() {
        return factory;
    }

    /** For JMX: empty if no factory is set. */
    final String factoryName() {
        ChannelFactory current = factory;
        return current == null ? "" : current.getClass().getName();
    }

    /**
     * Returns the address option.
     *
     * @param call the method that takes an address instead
     * @throws IllegalStateException if the option is not set
     */
    final SocketAddress requireAddress(ChannelOption<SocketAddress> option, String call) {
        SocketAddress address = getOption(option);
        if (address == null) {
            throw new IllegalStateException(option + " option is not set: set it, or call " + call + "(address)");
        }
        return address;
    }

    /** Creates a channel, sets its options and starts an operation on it. If that fails, the channel is closed. */
    final ChannelFuture open(Function<Channel, ChannelFuture> operation) {
        Channel channel = getFactory().newChannel(newPipeline());
        try {
            if (channel.isOpen()) { // otherwise the factory has been shut down, and the operation fails
                channel.getConfig().setOptions(options.get().own());
                follow(channel);
            }
            ChannelFuture future = operation.apply(channel);
            future.addListener(BootstrapFutures.CLOSE_UNLESS_SUCCESS);
            return future;
        } catch (RuntimeException | Error e) {
            if (BootstrapFutures.isShutDown(channel)) { // shut down in the meantime
                return Channels.failedFuture(channel, ChannelClosedException.of(channel));
            }
            channel.close(CloseReason.of(CloseReason.Kind.LOCAL, "it could not be set up", e));
            throw e;
        }
    }

    private void follow(Channel channel) {
        TrafficMeter meter = meter();
        if (meter != null) {
            meter.follow(channel);
        }
    }

    /** Connects a new channel, binding it first if a local address is given. */
    final ChannelFuture openConnected(SocketAddress remoteAddress, SocketAddress localAddress) {
        Objects.requireNonNull(remoteAddress, "remoteAddress");
        return open(channel -> localAddress == null
                ? channel.connect(remoteAddress)
                : new BindThenConnect(channel, remoteAddress).start(localAddress));
    }

    /** Binds a new channel. */
    final ChannelFuture openBound(SocketAddress localAddress) {
        Objects.requireNonNull(localAddress, "localAddress");
        return open(channel -> channel.bind(localAddress));
    }

    /** Remembers a channel bound for the user, until it closes. */
    final void bound(Channel channel) {
        boundChannels.add(channel);
        channel.getCloseFuture().addListener(future -> boundChannels.remove(future.getChannel()));
    }

    /** Waits until a channel is bound, and closes it if the bind fails. */
    final Channel awaitBound(ChannelFuture future, SocketAddress localAddress) {
        Channel channel = future.getChannel();
        try {
            future.awaitUninterruptibly();
        } catch (IllegalStateException e) {
            channel.close(); // the caller is the channel's I/O thread and must not wait, so it never gets the channel
            throw e;
        }
        if (!future.isSuccess()) {
            channel.close().awaitUninterruptibly();
            Throwable cause = BootstrapFutures.causeOf(future);
            throw new ChannelException("cannot bind to " + localAddress + ": " + BootstrapFutures.reason(cause), cause);
        }
        return channel;
    }

    private ChannelPipeline newPipeline() {
        ChannelPipelineFactory source = getPipelineFactory();
        try {
            return Objects.requireNonNull(source.getPipeline(), "the pipeline factory returned null");
        } catch (Exception e) {
            throw new ChannelPipelineException(
                    "the pipeline factory failed: " + source + ": " + BootstrapFutures.reason(e), e);
        }
    }

    private void changeOptions(UnaryOperator<OptionSnapshot> change) {
        while (true) {
            OptionSnapshot old = options.get();
            OptionSnapshot candidate = change.apply(old);
            checkLive(candidate);
            if (options.compareAndSet(old, candidate)) {
                onOptionsChanged(old, candidate);
                return;
            }
        }
    }

    private void endManagement() {
        BootstrapManagement current = management.get();
        if (current != null) {
            current.close();
        }
    }
}
