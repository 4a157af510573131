package org.freshet.handler.ssl;

import java.security.cert.CertificateException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Makes a client compare the name of the server with the server's certificate. The JDK does the comparison, with every kind
 * of trust manager, if the engine has the algorithm {@code HTTPS} and a name.
 */
final class HostnameVerification {
    static final String ON = "HTTPS";

    /** Explicitly no comparison; null means that the engine was made without a decision. */
    static final String OFF = "";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(HostnameVerification.class);
    private static final AtomicBoolean warned = new AtomicBoolean();

    private HostnameVerification() {}

    static void set(SSLEngine engine, boolean on) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(on ? ON : OFF);
        engine.setSSLParameters(parameters);
    }

    /** Whether an engine has to verify the name and knows none, so that it would fail each handshake. */
    static boolean lacksName(SSLEngine engine) {
        SSLParameters parameters = engine.getSSLParameters();
        return engine.getPeerHost() == null
                && ON.equals(parameters.getEndpointIdentificationAlgorithm())
                && (parameters.getServerNames() == null
                        || parameters.getServerNames().isEmpty());
    }

    /** Gives a new engine, which has a name, the settings of one that lacks it. */
    static SSLEngine replace(SSLEngine nameless, SSLEngine named) {
        named.setUseClientMode(true);
        named.setSSLParameters(nameless.getSSLParameters());
        named.setEnableSessionCreation(nameless.getEnableSessionCreation());
        named.setHandshakeApplicationProtocolSelector(nameless.getHandshakeApplicationProtocolSelector());
        return named;
    }

    /** The same failure, or one that says how to give the engine a name if it failed to verify a certificate without one. */
    static Throwable explain(SSLEngine engine, Throwable failure) {
        if (!isOfCertificate(failure) || !engine.getUseClientMode() || !lacksName(engine)) {
            return failure;
        }
        SSLHandshakeException explained =
                new SSLHandshakeException("the server's name cannot be verified, since neither the"
                        + " engine nor the channel's remote address has one: use SslContext.newHandler(host, port), or switch the"
                        + " verification off with SslContextBuilder.verifyHostname(false)");
        explained.initCause(failure);
        return explained;
    }

    private static boolean isOfCertificate(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return true;
            }
        }
        return false;
    }

    /** Switches it on for an engine that was made without a decision, if the engine has a name. */
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
