package org.freshet.handler.codec.replay;

/** The state type of a {@link ReplayingDecoder} that has no states. There is no value; its state is always null. */
public enum VoidEnum {}
