package org.freshet.internal.transport;

import org.freshet.channel.Channel;

/** A channel whose upstream events run one at a time, in a {@link SerialExecutor}. */
public interface SerialChannel extends Channel {
    /** Never changes. Any thread may call. */
    SerialExecutor serialExecutor();
}
