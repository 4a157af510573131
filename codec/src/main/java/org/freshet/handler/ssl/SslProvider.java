package org.freshet.handler.ssl;

/** The source of TLS engines. */
public enum SslProvider {
    /** {@link javax.net.ssl.SSLEngine} of the Java runtime; the default. */
    JDK,

    /** A native engine, which Freshet doesn't have: creating a context with it fails. Exists for code that refers to it. */
    OPENSSL
}
