/**
 * Reads that are lent: a handler that asks for it gets the memory that a loop has read into, for the time of one event,
 * instead of a copy of its own. Start at {@code Loan}; the transport makes and ends loans, {@code Channels.borrow} hands
 * them out.
 */
package org.freshet.internal.lending;
