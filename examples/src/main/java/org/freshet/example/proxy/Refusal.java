package org.freshet.example.proxy;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.socks.SocksMessage.CmdStatus;

/** The reasons for refusing a tunnel, with each protocol's code; SOCKS 4 has only one. */
enum Refusal {
    FORBIDDEN(CmdStatus.FORBIDDEN, HttpResponseStatus.FORBIDDEN),
    UNKNOWN_HOST(CmdStatus.HOST_UNREACHABLE, HttpResponseStatus.BAD_GATEWAY),
    REFUSED(CmdStatus.REFUSED, HttpResponseStatus.BAD_GATEWAY),
    UNREACHABLE(CmdStatus.NETWORK_UNREACHABLE, HttpResponseStatus.BAD_GATEWAY),
    TIMED_OUT(CmdStatus.HOST_UNREACHABLE, HttpResponseStatus.GATEWAY_TIMEOUT),
    FAILED(CmdStatus.FAILURE, HttpResponseStatus.BAD_GATEWAY);

    final CmdStatus socksStatus;
    final HttpResponseStatus httpStatus;

    Refusal(CmdStatus socksStatus, HttpResponseStatus httpStatus) {
        this.socksStatus = socksStatus;
        this.httpStatus = httpStatus;
    }

    static Refusal of(Throwable cause) {
        if (cause instanceof TargetRules.ForbiddenTargetException) {
            return FORBIDDEN;
        } else if (cause instanceof UnknownHostException) {
            return UNKNOWN_HOST;
        } else if (cause instanceof ConnectTimeoutException) {
            return TIMED_OUT;
        } else if (cause instanceof NoRouteToHostException) {
            return UNREACHABLE;
        }
        return cause instanceof ConnectException ? REFUSED : FAILED;
    }
}
