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
 * Makes a client compare the server's name with its certificate. The JDK does this, with any trust manager, if the engine has
 * the algorithm {@code HTTPS} and a name. Only IP addresses that can no longer be given to such an engine are compared
 * {@linkplain ServerName#verifyAddress here}.
 */
final class HostnameVerification {
    static final String ON = "HTTPS";

    /** Explicitly no comparison. Null means that the engine was created without a decision. */
    static final String OFF = "";

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(HostnameVerification.class);

    /** As configured when this JVM was started. */
    static final HostnameVerification INSTANCE =
            new HostnameVerification("netty3".equals(System.getProperty("org.freshet.tls")));

    /** Whether engines created without a decision verify nothing, as in Netty 3. */
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

    /** Whether an engine has to verify a name but has none, so every handshake would fail. */
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

    /** Copies the settings of an engine without a name to a new one that has it. */
    static SSLEngine replace(SSLEngine nameless, SSLEngine named) {
        named.setUseClientMode(true);
        named.setSSLParameters(nameless.getSSLParameters());
        named.setEnableSessionCreation(nameless.getEnableSessionCreation());
        named.setHandshakeApplicationProtocolSelector(nameless.getHandshakeApplicationProtocolSelector());
        return named;
    }

    /** Returns the same failure, or an explanation if the engine had to verify a certificate without knowing the name. */
    static Throwable explain(SSLEngine engine, Throwable failure) {
        if (!isOfCertificate(failure) || !engine.getUseClientMode() || !lacksName(engine)) {
            return failure;
        }
        SSLHandshakeException explained = new SSLHandshakeException("cannot verify the server's name, because the"
                + " engine was created without one and the channel is not connected to a host name: use"
                + " SslContext.newHandler(host, port) or createSSLEngine(host, port), or disable verification with"
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
     * Makes a client's engine verify the server in its next handshake, unless that was decided otherwise. An engine without any
     * name rejects every server, unless its trust manager ignores names.
     *
     * @param server the server that the channel connects to; null if it has no host
     * @param ctx the handler's context, for the log
     * @return the server whose address must be {@linkplain ServerName#verifyAddress verified} after the handshake; null if the
     * engine verifies everything itself
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
            throw new SSLHandshakeException("cannot verify the server's name, because the engine, a "
                    + engine.getClass().getName() + ", ignores the endpoint identification algorithm");
        }
    }

    private void warn(ServerName server, ChannelHandlerContext ctx) {
        if (warned.compareAndSet(false, true)) {
            logger.warn("The TLS client \"" + ctx.getName() + "\" of " + ctx.getChannel()
                    + " does not verify that it is connected to "
                    + (server == null ? "the right server" : server.host() + ":" + server.port())
                    + ", because its engine was created without an endpoint identification algorithm and"
                    + " -Dorg.freshet.tls=netty3 is set. Other clients are not reported.");
        }
    }
}
