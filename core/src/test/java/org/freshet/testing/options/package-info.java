/**
 * What must hold for the options of every transport: a transport's test extends the contracts of the sockets it has.
 *
 * <p>In a package of their own, since a module cannot see test classes in a package of another module.
 */
package org.freshet.testing.options;
