/** Quote of the moment: one datagram asks, one answers. */
package org.freshet.example.qotm;
