package org.freshet.handler.execution;

/** Accepts downstream events. */
public class ChannelDownstreamEventRunnableFilter implements ChannelEventRunnableFilter {
    public ChannelDownstreamEventRunnableFilter() {}

    @Override
    public boolean filter(ChannelEventRunnable event) {
        return event instanceof ChannelDownstreamEventRunnable;
    }
}
