package org.freshet.channel.socket.nio;

/** A loop that makes connections, by accepting or by connecting, and hands them to workers. */
public interface Boss {}
