/** A handler that blocks its I/O thread, and the library's report of it. */
package org.freshet.example.stall;
