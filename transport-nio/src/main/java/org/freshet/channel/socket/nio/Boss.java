package org.freshet.channel.socket.nio;

/** A loop that accepts or makes connections and hands them to workers. */
public interface Boss {}
