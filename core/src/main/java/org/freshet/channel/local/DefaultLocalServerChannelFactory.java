package org.freshet.channel.local;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.freshet.channel.ChannelPipeline;
import org.freshet.internal.telemetry.ConnectionCounters;

/** Creates servers for clients in the same JVM. Has no threads. Any thread may call any method. */
@SuppressWarnings("exports") // ConnectionCounters is shared by Freshet's modules only
public class DefaultLocalServerChannelFactory implements LocalServerChannelFactory, ConnectionCounters.Source {
    private final ConnectionCounters counters = new ConnectionCounters("local-server");
    private final Set<LocalEnd> live = ConcurrentHashMap.newKeySet();

    public DefaultLocalServerChannelFactory() {}

    @Override
    public LocalServerChannel newChannel(ChannelPipeline pipeline) {
        DefaultLocalServerChannel channel = new DefaultLocalServerChannel(this, pipeline, live);
        channel.open();
        return channel;
    }

    /** Closes the servers of this factory and the connections that they have accepted. */
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
