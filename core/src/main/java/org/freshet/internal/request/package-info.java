/**
 * How requests reach the thread that carries them out, in the order in which they were made. {@code Requests} and {@code ServerRequests}
 * translate downstream events into calls. A channel with an I/O loop keeps its requests in a {@code RequestInbox}; a {@code SerialChannel}
 * runs them and its events one at a time in a {@code SerialExecutor}, on whichever thread is free.
 */
package org.freshet.internal.request;
