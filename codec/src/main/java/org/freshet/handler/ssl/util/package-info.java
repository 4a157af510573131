/**
 * Certificates and trust for tests and special cases: a {@link org.freshet.handler.ssl.util.SelfSignedCertificate certificate
 * generated on the spot}, {@link org.freshet.handler.ssl.util.FingerprintTrustManagerFactory trust in known certificates}, and
 * {@link org.freshet.handler.ssl.util.InsecureTrustManagerFactory trust in every peer}.
 */
package org.freshet.handler.ssl.util;
