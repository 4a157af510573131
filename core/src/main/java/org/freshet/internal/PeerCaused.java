package org.freshet.internal;

/**
 * Marks an exception that a peer alone can cause, with bytes of its choice. If no handler deals with it, the log gets one line
 * without its stack trace: an attacker must not fill the disk.
 */
public interface PeerCaused {}
