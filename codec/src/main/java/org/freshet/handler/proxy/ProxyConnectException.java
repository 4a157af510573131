package org.freshet.handler.proxy;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** Reports that a connection through a proxy failed. The message names the target, the proxy and the reason. */
public class ProxyConnectException extends ConnectException {
    private static final long serialVersionUID = 1L;

    private final SocketAddress proxyAddress;
    private final InetSocketAddress targetAddress;

    /**
     * @param protocol the proxy's protocol, for the message
     * @param reason completes the message
     * @param cause null if no other exception caused this one
     */
    ProxyConnectException(
            String protocol,
            SocketAddress proxyAddress,
            InetSocketAddress targetAddress,
            String reason,
            Throwable cause) {
        super("cannot connect to " + targetAddress.getHostString() + ":" + targetAddress.getPort() + " through the "
                + protocol + " proxy " + proxyAddress + ": " + reason);
        this.proxyAddress = proxyAddress;
        this.targetAddress = targetAddress;
        initCause(cause);
    }

    public SocketAddress getProxyAddress() {
        return proxyAddress;
    }

    public InetSocketAddress getTargetAddress() {
        return targetAddress;
    }
}
