package org.freshet.channel.socket.nio.receive;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.util.HashMap;
import java.util.Map;

/** The multicast groups that a channel has joined. Loop only. They end with the socket. */
public final class Memberships {
    /**
     * One group on one interface.
     *
     * @param source the only sender whose datagrams are received; null means all
     */
    private record Membership(InetAddress group, NetworkInterface networkInterface, InetAddress source) {
        @Override
        public String toString() {
            return group + " on " + networkInterface.getName() + (source == null ? "" : " from " + source);
        }
    }

    private final DatagramChannel socket;
    private final Map<Membership, MembershipKey> keys = new HashMap<>();

    public Memberships(DatagramChannel socket) {
        this.socket = socket;
    }

    public void join(InetAddress group, NetworkInterface networkInterface, InetAddress source) throws IOException {
        MembershipKey key =
                source == null ? socket.join(group, networkInterface) : socket.join(group, networkInterface, source);
        keys.put(new Membership(group, networkInterface, source), key);
    }

    public void leave(InetAddress group, NetworkInterface networkInterface, InetAddress source) {
        Membership membership = new Membership(group, networkInterface, source);
        keyOf(membership).drop();
        keys.remove(membership);
    }

    /** Stops receiving one sender's datagrams to the group. */
    public void block(InetAddress group, NetworkInterface networkInterface, InetAddress sourceToBlock)
            throws IOException {
        keyOf(new Membership(group, networkInterface, null)).block(sourceToBlock);
    }

    private MembershipKey keyOf(Membership membership) {
        MembershipKey key = keys.get(membership);
        if (key == null) {
            throw new IllegalArgumentException("not a member of " + membership);
        }
        return key;
    }
}
