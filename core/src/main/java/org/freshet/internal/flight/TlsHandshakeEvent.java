package org.freshet.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("org.freshet.TlsHandshake")
@Label("TLS Handshake")
@Category("Freshet")
@Description("A TLS handshake, successful or not")
@Enabled(false)
@StackTrace(false)
final class TlsHandshakeEvent extends TimedEvent {
    @Label("Channel")
    String channel;

    @Label("Protocol")
    String protocol;

    @Label("Cipher Suite")
    String cipherSuite;

    @Label("Application Protocol")
    String applicationProtocol;

    @Label("Cause")
    String cause;
}
