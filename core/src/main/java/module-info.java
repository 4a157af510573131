/**
 * Buffers, channels, pipelines, bootstraps, and the handlers that don't depend on a wire format.
 *
 * <p>The packages below are the public API. {@code org.freshet.internal} and its subpackages are shared with Freshet's own modules only.
 */
@SuppressWarnings("module") // the qualified exports name modules compiled after this one
module org.freshet.core {
    requires org.slf4j;
    requires java.logging;
    requires static jdk.jfr; // without it, nothing is recorded
    requires transitive java.management;

    exports org.freshet.bootstrap;
    exports org.freshet.buffer;
    exports org.freshet.channel;
    exports org.freshet.channel.group;
    exports org.freshet.channel.local;
    exports org.freshet.channel.socket;
    exports org.freshet.handler.execution;
    exports org.freshet.handler.ipfilter;
    exports org.freshet.handler.logging;
    exports org.freshet.handler.queue;
    exports org.freshet.handler.stream;
    exports org.freshet.handler.tap;
    exports org.freshet.handler.timeout;
    exports org.freshet.handler.traffic;
    exports org.freshet.logging;
    exports org.freshet.telemetry;
    exports org.freshet.util;
    exports org.freshet.internal to
            org.freshet.codec,
            org.freshet.testkit,
            org.freshet.transport.nio,
            org.freshet.transport.oio;

    opens org.freshet.channel to
            org.freshet.testkit; // each simulated run counts channels from 1

    exports org.freshet.internal.accept to
            org.freshet.codec,
            org.freshet.transport.nio,
            org.freshet.transport.oio;
    exports org.freshet.internal.drain to
            org.freshet.codec;
    exports org.freshet.internal.flight to
            org.freshet.codec,
            org.freshet.transport.nio,
            org.freshet.transport.oio;
    exports org.freshet.internal.handler to
            org.freshet.codec,
            org.freshet.transport.nio,
            org.freshet.transport.oio;
    exports org.freshet.internal.lending to
            org.freshet.codec,
            org.freshet.transport.nio,
            org.freshet.transport.oio;
    exports org.freshet.internal.metering to
            org.freshet.codec,
            org.freshet.transport.nio,
            org.freshet.transport.oio;
    exports org.freshet.internal.options to
            org.freshet.codec,
            org.freshet.transport.nio,
            org.freshet.transport.oio;
    exports org.freshet.internal.request to
            org.freshet.codec,
            org.freshet.transport.nio,
            org.freshet.transport.oio;
    exports org.freshet.internal.telemetry to
            org.freshet.codec,
            org.freshet.transport.nio,
            org.freshet.transport.oio;
    exports org.freshet.internal.time to
            org.freshet.codec,
            org.freshet.transport.nio,
            org.freshet.transport.oio;
    exports org.freshet.internal.transport to
            org.freshet.codec,
            org.freshet.testkit,
            org.freshet.transport.nio,
            org.freshet.transport.oio;
    exports org.freshet.internal.write to
            org.freshet.codec,
            org.freshet.transport.nio,
            org.freshet.transport.oio;
}
