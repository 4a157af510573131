/**
 * Contracts for the options of every transport; a transport's test extends the contracts of its kinds of sockets.
 *
 * <p>In a separate package, since a module cannot see test classes in a package of another module.
 */
package org.freshet.testing.options;
