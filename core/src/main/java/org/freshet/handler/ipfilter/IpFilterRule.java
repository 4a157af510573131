package org.freshet.handler.ipfilter;

/** A set of addresses with one decision: connections from them are allowed, or refused. */
public interface IpFilterRule extends IpSet {
    boolean isAllowRule();

    /** The opposite of {@link #isAllowRule()}. */
    boolean isDenyRule();
}
