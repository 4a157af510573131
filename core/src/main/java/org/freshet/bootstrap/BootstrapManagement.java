package org.freshet.bootstrap;

import java.lang.management.ManagementFactory;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.MemoryBudget;
import org.freshet.internal.metering.TrafficMeter;
import org.freshet.internal.options.OptionKeys;
import org.freshet.internal.options.UnknownOptions;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.telemetry.LoopSource;
import org.freshet.telemetry.LoopsMXBean;

/** The JMX view of a bootstrap, from its registration to {@link #close()}. Any thread may call any method. */
final class BootstrapManagement implements BootstrapMXBean, BootstrapRegistration {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(BootstrapManagement.class);

    private final Bootstrap bootstrap;
    private final ObjectName objectName;
    private final TrafficMeter meter = new TrafficMeter();
    private final ManagedConnections connections;

    /** Null if the factory has no loops. */
    private volatile ObjectName loopsName;

    private BootstrapManagement(Bootstrap bootstrap, ObjectName objectName) {
        this.bootstrap = bootstrap;
        this.objectName = objectName;
        connections = new ManagedConnections(bootstrap::boundChannels);
    }

    static BootstrapRegistration register(Bootstrap bootstrap, String name) {
        BootstrapManagement management = new BootstrapManagement(bootstrap, objectName(bootstrap, name));
        bootstrap.manageBy(management);
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .registerMBean(new StandardMBean(management, BootstrapMXBean.class, true), management.objectName);
        } catch (InstanceAlreadyExistsException e) {
            bootstrap.stopManagingBy(management);
            throw new IllegalStateException("name is taken: " + management.objectName, e);
        } catch (JMException e) {
            bootstrap.stopManagingBy(management);
            throw new IllegalStateException("cannot register " + management.objectName, e);
        }
        management.registerLoops();
        return management;
    }

    /** Registers the factory's loops, if it has any. A failure is only logged: the bootstrap itself stays registered. */
    private void registerLoops() {
        if (!(bootstrap.factoryOrNull() instanceof LoopSource source)) {
            return;
        }
        try {
            ObjectName chosen = new ObjectName(objectName.getDomain() + ":type=Loops,name="
                    + objectName.getKeyProperty("name") + ",of=" + objectName.getKeyProperty("type"));
            ManagementFactory.getPlatformMBeanServer()
                    .registerMBean(
                            new StandardMBean(new LoopsManagement(source.loopStats()), LoopsMXBean.class, true),
                            chosen);
            loopsName = chosen;
        } catch (JMException e) {
            logger.warn("cannot register the loops of " + objectName, e);
        }
    }

    private static ObjectName objectName(Bootstrap bootstrap, String name) {
        boolean plain = !name.isEmpty() && name.chars().noneMatch(c -> ",=:\"*?\n".indexOf(c) >= 0);
        String value = plain ? name : ObjectName.quote(name);
        try {
            return new ObjectName("org.freshet:type=" + bootstrap.managedType() + ",name=" + value);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException("not a valid JMX name: " + name, e);
        }
    }

    TrafficMeter meter() {
        return meter;
    }

    @Override
    public ObjectName objectName() {
        return objectName;
    }

    @Override
    public void close() {
        if (!bootstrap.stopManagingBy(this)) {
            return;
        }
        connections.stopTap();
        unregister(objectName);
        if (loopsName != null) {
            unregister(loopsName);
        }
    }

    private static void unregister(ObjectName objectName) {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(objectName);
        } catch (InstanceNotFoundException e) {
            // An operator has already unregistered it.
        } catch (JMException e) {
            throw new IllegalStateException("cannot unregister " + objectName, e);
        }
    }

    @Override
    public String getFactory() {
        return bootstrap.factoryName();
    }

    @Override
    public Map<String, String> getOptions() {
        Map<String, String> texts = new TreeMap<>();
        bootstrap.getOptions().forEach((key, value) -> texts.put(key, String.valueOf(value)));
        return texts;
    }

    @Override
    public List<String> getBoundAddresses() {
        List<String> addresses = new ArrayList<>();
        for (Channel channel : bootstrap.boundChannels()) {
            SocketAddress address = channel.getLocalAddress();
            if (address != null) { // null once closed
                addresses.add(address.toString());
            }
        }
        return addresses;
    }

    @Override
    public long getOpenConnections() {
        return meter.open();
    }

    @Override
    public long getAcceptedConnections() {
        return meter.opened();
    }

    @Override
    public Map<String, Long> getClosedByReason() {
        return meter.closedByReason();
    }

    @Override
    public Map<String, Long> getRefusedByReason() {
        return bootstrap.refusedByCause();
    }

    @Override
    public int getCongestedChannels() {
        return meter.congested().size();
    }

    @Override
    public long getPendingBytes() {
        return meter.congested().stream()
                .mapToLong(MemoryBudget::getQueuedBytes)
                .sum();
    }

    @Override
    public long getOldestConnectionSeconds() {
        return TimeUnit.NANOSECONDS.toSeconds(meter.oldestNanos(System.nanoTime()));
    }

    @Override
    public boolean isAcceptingPaused() {
        return bootstrap.isAcceptingPaused();
    }

    @Override
    public void pauseAccepting() {
        bootstrap.setAcceptingPaused(true);
    }

    @Override
    public void resumeAccepting() {
        bootstrap.setAcceptingPaused(false);
    }

    @Override
    public String drain(long seconds) {
        return connections.drain(bootstrap, seconds);
    }

    @Override
    public long getBytesRead() {
        return meter.bytesRead();
    }

    @Override
    public long getBytesWritten() {
        return meter.bytesWritten();
    }

    @Override
    public List<String> getLastClosed() {
        return meter.lastClosed();
    }

    @Override
    public String listConnections(int max) {
        return connections.list(max);
    }

    @Override
    public String explainConnection(String id) {
        return connections.explain(id);
    }

    @Override
    public void startTap(String id, String above, String file, long maxFileBytes) {
        connections.startTap(id, above, file, maxFileBytes);
    }

    @Override
    public void stopTap() {
        connections.stopTap();
    }

    @Override
    public void setOption(String key, String value) {
        requireKnown(key);
        bootstrap.setOption(key, value);
    }

    @Override
    public void removeOption(String key) {
        bootstrap.setOption(key, null);
    }

    /** An operator may not see the log, so an unknown key is an error here. */
    private void requireKnown(String key) {
        String prefix = bootstrap.childPrefix();
        Set<String> known = new TreeSet<>(ChannelOption.knownKeys());
        known.addAll(OptionKeys.ADDRESSES);
        if (prefix != null) {
            ChannelOption.knownKeys().forEach(childKey -> known.add(prefix + childKey));
        }
        if (!known.contains(key) && bootstrap.getOption(key) == null) {
            throw new IllegalArgumentException("unknown option: \"" + key + "\"" + UnknownOptions.advice(key, known));
        }
    }
}
