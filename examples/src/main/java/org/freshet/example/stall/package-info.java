/** A handler that blocks its I/O thread, and what the library says about it. */
package org.freshet.example.stall;
