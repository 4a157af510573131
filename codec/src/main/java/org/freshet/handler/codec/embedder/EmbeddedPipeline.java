package org.freshet.handler.codec.embedder;

import org.freshet.channel.ChannelHandler;
import org.freshet.channel.DefaultChannelPipeline;

/** A pipeline that keeps the collector last: a handler added after it would never see a product. */
final class EmbeddedPipeline extends DefaultChannelPipeline {
    private static final String COLLECTOR = "products";

    /** Whether the collector was added. */
    private boolean complete;

    void addCollector(ChannelHandler collector) {
        super.addLast(COLLECTOR, collector);
        complete = true;
    }

    @Override
    public void addLast(String name, ChannelHandler handler) {
        if (complete) {
            addBefore(COLLECTOR, name, handler);
        } else {
            super.addLast(name, handler);
        }
    }
}
