package org.freshet.testkit.matrix;

import java.net.SocketAddress;
import java.util.concurrent.Executor;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.spdy.SpdyTimeouts;
import org.freshet.handler.traffic.GlobalChannelTrafficShapingHandler;
import org.freshet.handler.traffic.GlobalTrafficShapingHandler;
import org.freshet.util.Timer;

/** What parts need of the place where their pipelines run. */
interface Site {
    Timer timer();

    /** Runs one task after the other. */
    Executor executor();

    /** Whether the writer's side is the client. */
    boolean writerConnects();

    SocketAddress proxyAddress();

    /** Whether one of the parts is TLS. */
    boolean hasTls();

    /** What shapers let through. */
    long bytesPerSecond();

    /** What may wait in a shaper before the channel isn't writable. */
    long shaperBytes();

    /** One for all connections. */
    GlobalTrafficShapingHandler globalShaper();

    /** One for all connections. */
    GlobalChannelTrafficShapingHandler globalChannelShaper();

    Http2Settings http2();

    SpdyTimeouts spdy();
}
