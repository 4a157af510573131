/**
 * Lent reads: a handler that asks for it gets the memory that a loop has read into, for the duration of one event, instead of its own copy.
 * Start at {@code Loan}; the transport makes and ends loans, {@code Channels.borrow} hands them out.
 */
package org.freshet.internal.lending;
