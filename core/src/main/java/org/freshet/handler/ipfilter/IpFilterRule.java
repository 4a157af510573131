package org.freshet.handler.ipfilter;

/** A set of addresses whose connections are all allowed or all refused. */
public interface IpFilterRule extends IpSet {
    boolean isAllowRule();

    /** The opposite of {@link #isAllowRule()}. */
    boolean isDenyRule();
}
