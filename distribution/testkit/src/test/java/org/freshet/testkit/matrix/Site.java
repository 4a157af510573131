package org.freshet.testkit.matrix;

import java.net.SocketAddress;
import java.util.concurrent.Executor;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.spdy.SpdyTimeouts;
import org.freshet.handler.traffic.GlobalChannelTrafficShapingHandler;
import org.freshet.handler.traffic.GlobalTrafficShapingHandler;
import org.freshet.util.Timer;

/** What parts need to know about where their pipelines run. */
interface Site {
    Timer timer();

    /** Runs one task after another. */
    Executor executor();

    /** Whether the writer's side is the client. */
    boolean writerConnects();

    SocketAddress proxyAddress();

    /** Whether one of the parts is TLS. */
    boolean hasTls();

    /** The rate of shapers. */
    long bytesPerSecond();

    /** The backlog in a shaper above which the channel is unwritable. */
    long shaperBytes();

    /** Shared by all connections. */
    GlobalTrafficShapingHandler globalShaper();

    /** Shared by all connections. */
    GlobalChannelTrafficShapingHandler globalChannelShaper();

    Http2Settings http2();

    SpdyTimeouts spdy();
}
