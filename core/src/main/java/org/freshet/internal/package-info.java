/** Machinery that Freshet's modules share; not for users. */
package org.freshet.internal;
