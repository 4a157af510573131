/** A TCP proxy that holds no more than a little, however slow a side reads. Read {@code RelayHandler} first. */
package org.freshet.example.proxy;
