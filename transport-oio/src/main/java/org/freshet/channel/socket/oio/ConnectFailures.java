package org.freshet.channel.socket.oio;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.freshet.channel.ConnectTimeoutException;

/** Adds the remote address and the time-out to the JDK's exceptions. */
final class ConnectFailures {
    private ConnectFailures() {}

    static Exception named(Exception cause, SocketAddress remote, int timeoutMillis) {
        Exception named = renamed(cause, remote, timeoutMillis);
        if (named != cause) {
            named.initCause(cause);
        }
        return named;
    }

    private static Exception renamed(Exception cause, SocketAddress remote, int timeoutMillis) {
        if (cause instanceof SocketTimeoutException) {
            return new ConnectTimeoutException("connection timed out after " + timeoutMillis + " ms: " + remote);
        }
        if (cause instanceof ConnectException) {
            return new ConnectException(cause.getMessage() + ": " + remote);
        }
        if (cause instanceof UnknownHostException && remote instanceof InetSocketAddress inet) {
            return new UnknownHostException("unresolved address: " + inet.getHostString() + ":" + inet.getPort());
        }
        return cause;
    }
}
