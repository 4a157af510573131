package org.freshet.channel.local;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.freshet.channel.ChannelPipeline;

/** Makes the clients of servers in the same JVM. Holds no thread. Any thread may call. */
public class DefaultLocalClientChannelFactory implements LocalClientChannelFactory {
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
}
