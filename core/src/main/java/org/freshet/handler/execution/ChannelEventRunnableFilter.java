package org.freshet.handler.execution;

/** Selects the events for one executor of a {@link ChainedExecutor}. Called from any thread, often concurrently. */
public interface ChannelEventRunnableFilter {
    /** Returns whether the event is for this filter's executor. */
    boolean filter(ChannelEventRunnable event);
}
