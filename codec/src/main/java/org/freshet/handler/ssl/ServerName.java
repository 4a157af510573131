package org.freshet.handler.ssl;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.freshet.util.NetUtil;

/**
 * The server that a client was asked to reach: a host name, or an IP address as text. Stored as text, because an
 * {@link InetSocketAddress} adopts any name that a later reverse lookup finds.
 */
record ServerName(String host, int port) {
    private static final int ADDRESS_OF_CERTIFICATE = 7;

    /** Null if the address has no host. */
    static ServerName of(SocketAddress address) {
        return address instanceof InetSocketAddress server
                ? new ServerName(server.getHostString(), server.getPort())
                : null;
    }

    boolean isAddress() {
        return addressOf(host) != null;
    }

    /** Makes an engine without a name verify this host name, and request it from the server. */
    void giveTo(SSLEngine engine) throws SSLHandshakeException {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setServerNames(List.of(indication()));
        engine.setSSLParameters(parameters);
    }

    private SNIHostName indication() throws SSLHandshakeException {
        try {
            return new SNIHostName(host.endsWith(".") ? host.substring(0, host.length() - 1) : host);
        } catch (IllegalArgumentException e) {
            SSLHandshakeException refusal = new SSLHandshakeException("cannot give the server's name " + host
                    + " to an engine that was created without one: use createSSLEngine(host, port), or"
                    + " SslContext.newHandler(host, port)");
            refusal.initCause(e);
            throw refusal;
        }
    }

    /** Checks that the server's certificate is for this IP address. SNI names must not be addresses, so the JDK can't do it. */
    void verifyAddress(SSLSession session) throws SSLPeerUnverifiedException {
        InetAddress wanted = addressOf(host);
        Collection<List<?>> names = alternativeNames(session.getPeerCertificates()[0]);
        for (List<?> name : names) {
            if (name.get(0).equals(ADDRESS_OF_CERTIFICATE) && wanted.equals(addressOf((String) name.get(1)))) {
                return;
            }
        }
        throw new SSLPeerUnverifiedException("the server's certificate is not for the address " + host
                + " that the channel connected to, but for "
                + names.stream().map(name -> name.get(1)).toList()
                + ": connect to one of these, use createSSLEngine(host, port), or disable verification with an"
                + " empty endpoint identification algorithm");
    }

    private static Collection<List<?>> alternativeNames(Certificate certificate) throws SSLPeerUnverifiedException {
        try {
            Collection<List<?>> names = ((X509Certificate) certificate).getSubjectAlternativeNames();
            return names == null ? List.of() : names;
        } catch (CertificateException e) {
            SSLPeerUnverifiedException refusal =
                    new SSLPeerUnverifiedException("cannot read the names in the server's certificate");
            refusal.initCause(e);
            throw refusal;
        }
    }

    /** Null if the text isn't an IP address. Looks nothing up. */
    private static InetAddress addressOf(String text) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(text);
        try {
            return address == null ? null : InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of " + address.length + " bytes", e);
        }
    }
}
