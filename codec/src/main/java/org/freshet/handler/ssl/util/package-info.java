/**
 * Certificates and trust for tests and for special cases: a {@link
 * org.freshet.handler.ssl.util.SelfSignedCertificate certificate made on the spot}, {@link
 * org.freshet.handler.ssl.util.FingerprintTrustManagerFactory trust in known certificates}, and {@link
 * org.freshet.handler.ssl.util.InsecureTrustManagerFactory in every peer}.
 */
package org.freshet.handler.ssl.util;
