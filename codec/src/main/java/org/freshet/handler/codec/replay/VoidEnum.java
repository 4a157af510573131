package org.freshet.handler.codec.replay;

/** The state type of a {@link ReplayingDecoder} without states. It has no values; the state is always null. */
public enum VoidEnum {}
