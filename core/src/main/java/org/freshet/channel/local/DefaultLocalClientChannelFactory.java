package org.freshet.channel.local;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.freshet.channel.ChannelPipeline;
import org.freshet.internal.telemetry.ConnectionCounters;

/** Creates clients for servers in the same JVM. Has no threads. Any thread may call any method. */
@SuppressWarnings("exports") // ConnectionCounters is shared by Freshet's modules only
public class DefaultLocalClientChannelFactory implements LocalClientChannelFactory, ConnectionCounters.Source {
    private final ConnectionCounters counters = new ConnectionCounters("local-client");
    private final Set<LocalEnd> live = ConcurrentHashMap.newKeySet();

    public DefaultLocalClientChannelFactory() {}

    @Override
    public LocalChannel newChannel(ChannelPipeline pipeline) {
        DefaultLocalChannel channel = new DefaultLocalChannel(this, pipeline, live);
        channel.open();
        return channel;
    }

    /** Closes the channels of this factory. */
    @Override
    public void shutdown() {
        live.forEach(LocalEnd::onShutdown);
    }

    /** The same as {@link #shutdown()}. */
    @Override
    public void releaseExternalResources() {
        shutdown();
    }

    /** Not for users: the data that {@code Telemetry} shows. */
    @Override
    public ConnectionCounters connectionCounters() {
        return counters;
    }
}
