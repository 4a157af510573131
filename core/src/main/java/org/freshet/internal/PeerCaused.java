package org.freshet.internal;

/**
 * Marks an exception that a peer alone can cause, by sending bytes of its choice. If no handler handles it, the log gets one line without a
 * stack trace: an attacker must not be able to fill the disk.
 */
public interface PeerCaused {}
