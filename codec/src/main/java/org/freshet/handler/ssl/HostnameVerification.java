package org.freshet.handler.ssl;

import java.security.cert.CertificateException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Makes a client compare the name of the server with the server's certificate. The JDK does the comparison, with every kind
 * of trust manager, if the engine has the algorithm {@code HTTPS} and a name; only IP addresses that such an engine can't be
 * given any more are compared {@linkplain ServerName#verifyAddress here}.
 */
final class HostnameVerification {
    static final String ON = "HTTPS";

    /** Explicitly no comparison; null means that the engine was made without a decision. */
    static final String OFF = "";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(HostnameVerification.class);

    /** How this JVM was started. */
    static final HostnameVerification INSTANCE =
            new HostnameVerification("netty3".equals(System.getProperty("org.freshet.tls")));

    /** Engines that were made without a decision verify nothing, as in Netty 3. */
    private final boolean leavesUndecided;

    private final AtomicBoolean warned = new AtomicBoolean();

    HostnameVerification(boolean leavesUndecided) {
        this.leavesUndecided = leavesUndecided;
    }

    static void set(SSLEngine engine, boolean on) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(on ? ON : OFF);
        engine.setSSLParameters(parameters);
    }

    /** Whether an engine has to verify the name and knows none, so that it would fail each handshake. */
    static boolean lacksName(SSLEngine engine) {
        return isOn(algorithm(engine)) && isNameless(engine);
    }

    private static boolean isOn(String algorithm) {
        return algorithm != null && !algorithm.equals(OFF);
    }

    private static String algorithm(SSLEngine engine) {
        return engine.getSSLParameters().getEndpointIdentificationAlgorithm();
    }

    private static boolean isNameless(SSLEngine engine) {
        SSLParameters parameters = engine.getSSLParameters();
        return engine.getPeerHost() == null
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
        SSLHandshakeException explained = new SSLHandshakeException("the server's name cannot be verified, because the"
                + " engine was made without one and the channel is not connected to a host name: use"
                + " SslContext.newHandler(host, port) or createSSLEngine(host, port), or switch the verification off with"
                + " SslContextBuilder.verifyHostname(false) or an empty endpoint identification algorithm");
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

    /**
     * Has a client's engine verify the server in its next handshake, unless it was told otherwise. An engine that ends up
     * without any name refuses every server, unless its trust manager does not care about names.
     *
     * @param server what the channel connects to; null if that has no host
     * @param ctx the handler's, for the log
     * @return the server whose address must be {@linkplain ServerName#verifyAddress verified} after the handshake; null if the
     *     engine does all by itself
     * @throws SSLException if the engine cannot verify the name
     */
    ServerName prepare(SSLEngine engine, ServerName server, ChannelHandlerContext ctx) throws SSLException {
        boolean isDecided = algorithm(engine) != null;
        if (!isDecided && leavesUndecided) {
            warn(server, ctx);
            return null;
        }
        boolean isNameable = server != null && isNameless(engine);
        if (!isDecided && isNameable && server.isAddress()) {
            return server;
        }
        if (!isDecided) {
            switchOn(engine);
        }
        if (isNameable && !server.isAddress() && isOn(algorithm(engine))) {
            server.giveTo(engine);
        }
        return null;
    }

    private static void switchOn(SSLEngine engine) throws SSLException {
        set(engine, true);
        if (!ON.equals(algorithm(engine))) {
            throw new SSLHandshakeException("the server's name cannot be verified, because the engine, a "
                    + engine.getClass().getName() + ", ignores the endpoint identification algorithm");
        }
    }

    private void warn(ServerName server, ChannelHandlerContext ctx) {
        if (warned.compareAndSet(false, true)) {
            logger.warn("The TLS client \"" + ctx.getName() + "\" of " + ctx.getChannel()
                    + " does not verify that it is connected to "
                    + (server == null ? "the right server" : server.host() + ":" + server.port())
                    + ", because its engine was made without an endpoint identification algorithm and"
                    + " -Dorg.freshet.tls=netty3 is set. Other clients are not reported.");
        }
    }
}
