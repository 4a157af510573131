package org.freshet.handler.execution;

/** Accepts upstream events. */
public class ChannelUpstreamEventRunnableFilter implements ChannelEventRunnableFilter {
    public ChannelUpstreamEventRunnableFilter() {}

    @Override
    public boolean filter(ChannelEventRunnable event) {
        return event instanceof ChannelUpstreamEventRunnable;
    }
}
