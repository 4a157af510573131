/** One datagram, every member of the group: joins and leaves multicast groups. */
package org.freshet.example.multicast;
