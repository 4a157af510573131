package org.freshet.channel.local;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.freshet.channel.ChannelPipeline;

/** Makes servers for clients in the same JVM. Holds no thread. Any thread may call. */
public class DefaultLocalServerChannelFactory implements LocalServerChannelFactory {
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
}
