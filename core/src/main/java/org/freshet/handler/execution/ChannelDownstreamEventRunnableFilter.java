package org.freshet.handler.execution;

/** Lets events pass that are on their way down. */
public class ChannelDownstreamEventRunnableFilter implements ChannelEventRunnableFilter {
    public ChannelDownstreamEventRunnableFilter() {}

    @Override
    public boolean filter(ChannelEventRunnable event) {
        return event instanceof ChannelDownstreamEventRunnable;
    }
}
