package org.freshet.handler.ssl;

import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Sees to it that a client compares the name it wanted to reach with the server's certificate. The comparison itself is the
 * JDK's, which makes it whatever the kind of trust manager; it wants only to be told.
 */
final class HostnameVerification {
    static final String ON = "HTTPS";

    /** What an engine is given by who does not want the comparison; null would mean that nobody has thought of it. */
    static final String OFF = "";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(HostnameVerification.class);
    private static final AtomicBoolean warned = new AtomicBoolean();

    private HostnameVerification() {}

    static void set(SSLEngine engine, boolean on) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(on ? ON : OFF);
        engine.setSSLParameters(parameters);
    }

    /** Turns it on for an engine of which nobody has said anything, if the name is known. */
    static void setDefault(SSLEngine engine) {
        if (engine.getSSLParameters().getEndpointIdentificationAlgorithm() != null) {
            return;
        }
        if (engine.getPeerHost() != null) {
            set(engine, true);
        } else if (warned.compareAndSet(false, true)) {
            logger.warn("A TLS client does not verify the server's name because its engine was made without one:"
                    + " use createSSLEngine(host, port), or SslContext.newHandler(host, port).");
        }
    }
}
