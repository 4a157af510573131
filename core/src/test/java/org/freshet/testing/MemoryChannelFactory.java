package org.freshet.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;

/** Creates {@link MemoryChannel}s and remembers them. */
public final class MemoryChannelFactory implements ChannelFactory {
    private final List<MemoryChannel> channels = new CopyOnWriteArrayList<>();
    private volatile boolean released;

    @Override
    public Channel newChannel(ChannelPipeline pipeline) {
        MemoryChannel channel = new MemoryChannel(this, pipeline);
        channels.add(channel);
        return channel;
    }

    /** All channels created so far. */
    public List<MemoryChannel> channels() {
        return List.copyOf(channels);
    }

    public boolean isReleased() {
        return released;
    }

    @Override
    public void shutdown() {}

    @Override
    public void releaseExternalResources() {
        released = true;
    }
}
