package org.freshet.handler.execution;

/** Tells which events are for which executor of a {@link ChainedExecutor}. Called from any thread, often at once. */
public interface ChannelEventRunnableFilter {
    /** Whether the event is one of those that this filter is there for. */
    boolean filter(ChannelEventRunnable event);
}
