/** One datagram, every member of the group: joining and leaving multicast groups. */
package org.freshet.example.multicast;
