package org.freshet.channel;

/**
 * A channel that accepts connections, each of which becomes a channel with this one as its {@linkplain
 * Channel#getParent() parent}. It neither reads nor writes itself.
 */
public interface ServerChannel extends Channel {}
