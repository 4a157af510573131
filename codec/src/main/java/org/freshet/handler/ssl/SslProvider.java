package org.freshet.handler.ssl;

/** Where a TLS engine comes from. */
public enum SslProvider {
    /** {@link javax.net.ssl.SSLEngine} of the Java runtime; the default. */
    JDK,

    /** A native engine, which Freshet does not have: a context cannot be made with it. Here for code that names it. */
    OPENSSL
}
