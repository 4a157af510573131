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
 * What the three kinds of bootstrap have in common: the factory, the pipeline and the options of the channels they make.
 *
 * <p><b>Pipeline.</b> Either a pipeline whose handlers are copied into that of each new channel ({@link #setPipeline}, good for
 * one channel or for sharable handlers), or a factory that makes one for each ({@link #setPipelineFactory}). The one set last
 * counts.
 *
 * <p><b>Options.</b> Values by key, as {@link ChannelOption} describes them, applied to each channel before it is bound or
 * connected. A value of a known option is checked when it is set. A key that the channel's config does not know is logged once
 * as a warning when the channel is made, or refused with {@code -Dorg.freshet.strictOptions=true}. {@code localAddress} and
 * {@code remoteAddress} are not the channel's options but the addresses to use where none is given.
 *
 * <p><b>Threads.</b> Any thread may use a bootstrap. A change affects channels made afterwards. Only the methods that
 * say so block.
 */
public class Bootstrap implements ExternalResourceReleasable {
    static final ChannelOption<SocketAddress> LOCAL_ADDRESS = ChannelOption.object("localAddress", SocketAddress.class);
    static final ChannelOption<SocketAddress> REMOTE_ADDRESS =
            ChannelOption.object("remoteAddress", SocketAddress.class);

    /** The JDK's maps whose entries come in the order of hash codes. */
    private static final Set<Class<?>> UNORDERED_MAPS = Set.of(
            HashMap.class,
            Hashtable.class,
            ConcurrentHashMap.class,
            IdentityHashMap.class,
            WeakHashMap.class,
            Map.of(1, 1, 2, 2).getClass());

    private final AtomicReference<OptionSnapshot> options = new AtomicReference<>(OptionSnapshot.EMPTY);
    /** Holds null while the bootstrap is not registered with JMX; then nothing is counted. */
    private final AtomicReference<BootstrapManagement> management = new AtomicReference<>();
    /** The open channels that {@link #bound} was called with. */
    private final Set<Channel> boundChannels = ConcurrentHashMap.newKeySet();

    private volatile ChannelFactory factory;
    private volatile PipelineSource pipelineSource = PipelineSource.copying(Channels.pipeline());

    /** A bootstrap whose factory is still to be set. */
    protected Bootstrap() {}

    /**
     * A bootstrap of a transport.
     *
     * @param channelFactory makes the channels
     */
    protected Bootstrap(ChannelFactory channelFactory) {
        setFactory(channelFactory);
    }

    /**
     * The factory that makes the channels.
     *
     * @throws IllegalStateException when none was set
     */
    public ChannelFactory getFactory() {
        ChannelFactory current = factory;
        if (current == null) {
            throw new IllegalStateException("factory is not set");
        }
        return current;
    }

    /**
     * Sets the factory, once.
     *
     * @param factory makes the channels
     * @throws IllegalStateException when there is one already
     */
    public void setFactory(ChannelFactory factory) {
        Objects.requireNonNull(factory, "factory");
        if (this.factory != null) {
            throw new IllegalStateException("factory is already set: " + this.factory);
        }
        this.factory = factory;
    }

    /**
     * The pipeline whose handlers new channels get; it may be changed, for channels made afterwards.
     *
     * @throws IllegalStateException when a pipeline factory is used instead
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
     * The handlers that new channels get, by name and in order: a copy.
     *
     * @throws IllegalStateException when a pipeline factory is used instead
     */
    public Map<String, ChannelHandler> getPipelineAsMap() {
        return pipelineSource.pipeline().toMap();
    }

    /**
     * Sets the handlers that new channels get, in place of a pipeline factory.
     *
     * @param pipelineMap handlers by name, in the order of the map's entries, such as a {@link LinkedHashMap} or a
     *     {@link SortedMap}
     * @throws IllegalArgumentException when two handlers or more come in a map that has no order for sure: a hash map of
     *     {@code java.util}, or what {@link Map#of()} makes. Of other maps, wrappers among them, this cannot be told.
     */
    public void setPipelineAsMap(Map<String, ChannelHandler> pipelineMap) {
        Objects.requireNonNull(pipelineMap, "pipelineMap");
        if (pipelineMap.size() > 1 && UNORDERED_MAPS.contains(pipelineMap.getClass())) {
            throw new IllegalArgumentException("pipelineMap keeps no order, use a LinkedHashMap: "
                    + pipelineMap.getClass().getName());
        }
        ChannelPipeline pipeline = Channels.pipeline();
        pipelineMap.forEach(pipeline::addLast);
        setPipeline(pipeline);
    }

    /** What makes the pipelines of new channels: the factory that was set, else one that copies {@link #getPipeline()}. */
    public ChannelPipelineFactory getPipelineFactory() {
        return pipelineSource.factory();
    }

    /**
     * Sets what makes the pipelines of new channels. {@link #getPipeline()} and {@link #getPipelineAsMap()} are refused from
     * then on, until a pipeline is set again.
     *
     * @param pipelineFactory called once a channel
     */
    public void setPipelineFactory(ChannelPipelineFactory pipelineFactory) {
        pipelineSource = PipelineSource.making(Objects.requireNonNull(pipelineFactory, "pipelineFactory"));
    }

    /** The options as they were given, by key: a sorted copy. */
    public Map<String, Object> getOptions() {
        return options.get().given();
    }

    /**
     * Replaces all options at once.
     *
     * @param options values by key; null values count as absent
     * @throws IllegalArgumentException when a value of a known option has a wrong type or is out of range; nothing is changed then
     */
    public void setOptions(Map<String, Object> options) {
        OptionSnapshot replacement = OptionSnapshot.of(Objects.requireNonNull(options, "options"), childPrefix());
        changeOptions(old -> replacement);
    }

    /**
     * An option as it was given.
     *
     * @param key the option's name
     * @return its value; null when it is not set
     */
    public Object getOption(String key) {
        return options.get().get(Objects.requireNonNull(key, "key"));
    }

    /**
     * Sets an option of the channels to be made.
     *
     * @param key the option's name
     * @param value its value, in one of the forms that {@link ChannelOption} describes; null removes the option
     * @throws IllegalArgumentException when the value of a known option has a wrong type or is out of range
     */
    public void setOption(String key, Object value) {
        Objects.requireNonNull(key, "key");
        changeOptions(old -> old.with(key, value, childPrefix()));
    }

    /**
     * An option by its constant.
     *
     * @param option the option
     * @param <T> its type
     * @return its value; null when it is not set
     */
    public <T> T getOption(ChannelOption<T> option) {
        Object value = getOption(option.key());
        return value == null ? null : option.convert(value);
    }

    /**
     * Sets an option of the channels to be made by its constant.
     *
     * @param option the option
     * @param value its value; null removes the option
     * @param <T> its type
     * @throws IllegalArgumentException when the value is out of range
     */
    public <T> void setOption(ChannelOption<T> option, T value) {
        setOption(option.key(), value == null ? null : option.convert(value));
    }

    /**
     * Registers this bootstrap with JMX, as {@code org.freshet:type=ServerBootstrap,name=...} (or {@code ClientBootstrap},
     * {@code ConnectionlessBootstrap}) in the platform's MBean server; see {@link BootstrapMXBean}.
     *
     * <p>Connections and bytes are counted from then on, for connections made from then on. A bootstrap that is not registered counts
     * nothing and spends nothing on it.
     *
     * @param name tells this bootstrap from others of its type
     * @return ends the registration when closed; {@link #shutdown()} and {@link #releaseExternalResources()} end it too
     * @throws IllegalStateException when it is registered already, or the name is taken
     */
    public BootstrapRegistration registerMBean(String name) {
        return BootstrapManagement.register(this, Objects.requireNonNull(name, "name"));
    }

    /**
     * Ends the JMX registration, and ends the factory's threads and selectors. Waits for them; must not be called by one of
     * them. The channels must be closed before.
     */
    @Override
    public void releaseExternalResources() {
        endManagement();
        ChannelFactory current = factory;
        if (current != null) {
            current.releaseExternalResources();
        }
    }

    /** Ends the JMX registration, and shuts the factory down, see {@link ChannelFactory#shutdown()}. */
    public void shutdown() {
        endManagement();
        ChannelFactory current = factory;
        if (current != null) {
            current.shutdown();
        }
    }

    /** What the keys of options for accepted channels start with; null when the bootstrap accepts none. */
    String childPrefix() {
        return null;
    }

    /** Refuses options that channels which are open already show to be wrong. */
    void checkLive(OptionSnapshot candidate) {}

    /** Applies what may change while channels are open. */
    void onOptionsChanged(OptionSnapshot before, OptionSnapshot after) {}

    /** Connections that this bootstrap's channels have refused, by cause. */
    Map<String, Long> refusedByCause() {
        return Map.of();
    }

    /** Pauses the servers of this bootstrap, or lets them go on. */
    void setAcceptingPaused(boolean isPaused) {
        throw new IllegalStateException("not a bootstrap of servers");
    }

    boolean isAcceptingPaused() {
        return false;
    }

    /** The {@code type} that JMX shows. */
    String managedType() {
        return "Bootstrap";
    }

    final OptionSnapshot optionSnapshot() {
        return options.get();
    }

    final List<Channel> boundChannels() {
        return new ArrayList<>(boundChannels);
    }

    /** Null while nobody is registered to see the counts. */
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

    /** False when it was ended before. */
    final boolean stopManagingBy(BootstrapManagement present) {
        return management.compareAndSet(present, null);
    }

    final ChannelFactory factoryOrNull() {
        return factory;
    }

    /** For JMX: empty when there is no factory. */
    final String factoryName() {
        ChannelFactory current = factory;
        return current == null ? "" : current.getClass().getName();
    }

    /**
     * The address option.
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

    /** Makes a channel with its options set, and starts an operation on it; the channel is closed when that fails. */
    final ChannelFuture open(Function<Channel, ChannelFuture> operation) {
        Channel channel = getFactory().newChannel(newPipeline());
        try {
            if (channel.isOpen()) { // else the factory has been shut down, and the operation fails
                channel.getConfig().setOptions(options.get().own());
                follow(channel);
            }
            ChannelFuture future = operation.apply(channel);
            future.addListener(BootstrapFutures.CLOSE_UNLESS_SUCCESS);
            return future;
        } catch (RuntimeException | Error e) {
            if (BootstrapFutures.isShutDown(channel)) { // meanwhile
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

    /** Connects a new channel, after binding it where a local address is given. */
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

    /** Remembers a channel that was bound on request, until it closes. */
    final void bound(Channel channel) {
        boundChannels.add(channel);
        channel.getCloseFuture().addListener(future -> boundChannels.remove(future.getChannel()));
    }

    /** Waits until a channel is bound; when it cannot be, it is closed. */
    final Channel awaitBound(ChannelFuture future, SocketAddress localAddress) {
        Channel channel = future.getChannel();
        try {
            future.awaitUninterruptibly();
        } catch (IllegalStateException e) {
            channel.close(); // nobody will get to know it: the caller is its I/O thread, which may not wait
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
                    "cannot make a pipeline by " + source + ": " + BootstrapFutures.reason(e), e);
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
