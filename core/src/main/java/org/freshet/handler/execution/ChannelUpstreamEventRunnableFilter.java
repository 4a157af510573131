package org.freshet.handler.execution;

/** Lets events pass that are on their way up. */
public class ChannelUpstreamEventRunnableFilter implements ChannelEventRunnableFilter {
    public ChannelUpstreamEventRunnableFilter() {}

    @Override
    public boolean filter(ChannelEventRunnable event) {
        return event instanceof ChannelUpstreamEventRunnable;
    }
}
