package org.freshet.example.proxy;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.socks.SocksMessage.CmdStatus;

/** Why a client does not get its tunnel, in the words of each protocol; SOCKS 4 has one for all. */
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
