package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** Messages as text to compare, for both libraries. */
final class SocksText {
    private SocksText() {}

    static String ours(Object message) {
        if (message instanceof ChannelBuffer bytes) {
            return "bytes " + ChannelBuffers.hexDump(bytes);
        } else if (message instanceof SocksInitRequest init) {
            return "init " + init.getAuthSchemes();
        } else if (message instanceof SocksInitResponse init) {
            return "init " + init.getAuthScheme();
        } else if (message instanceof SocksAuthRequest auth) {
            return "auth " + auth.getUsername() + " " + auth.getPassword();
        } else if (message instanceof SocksAuthResponse auth) {
            return "auth " + auth.getAuthStatus();
        } else if (message instanceof SocksCmdRequest cmd) {
            return "cmd " + cmd.getCmdType() + " " + cmd.getAddressType() + " " + cmd.getHost() + " " + cmd.getPort();
        } else if (message instanceof SocksCmdResponse cmd) {
            return "cmd " + cmd.getCmdStatus() + " " + cmd.getAddressType();
        } else if (message instanceof Socks4Request cmd) {
            return "cmd4 " + cmd.getCmdType() + " " + cmd.getAddressType() + " " + cmd.getHost() + " " + cmd.getPort()
                    + " " + cmd.getUserId();
        } else if (message instanceof Socks4Response cmd) {
            return "cmd4 " + cmd.getStatus() + " " + cmd.getHost() + " " + cmd.getPort();
        }
        return message.getClass().getSimpleName();
    }

    /** Like {@link #ours}, for Netty 3 messages. */
    static String theirs(Object message) {
        if (message instanceof org.jboss.netty.handler.codec.socks.SocksInitRequest init) {
            return "init " + init.getAuthSchemes();
        } else if (message instanceof org.jboss.netty.handler.codec.socks.SocksInitResponse init) {
            return "init " + init.getAuthScheme();
        } else if (message instanceof org.jboss.netty.handler.codec.socks.SocksAuthRequest auth) {
            return "auth " + auth.getUsername() + " " + auth.getPassword();
        } else if (message instanceof org.jboss.netty.handler.codec.socks.SocksAuthResponse auth) {
            return "auth " + auth.getAuthStatus();
        } else if (message instanceof org.jboss.netty.handler.codec.socks.SocksCmdRequest cmd) {
            return "cmd " + cmd.getCmdType() + " " + cmd.getAddressType() + " " + cmd.getHost() + " " + cmd.getPort();
        } else if (message instanceof org.jboss.netty.handler.codec.socks.SocksCmdResponse cmd) {
            return "cmd " + cmd.getCmdStatus() + " " + cmd.getAddressType();
        }
        return message.getClass().getSimpleName();
    }
}
