package org.freshet.handler.codec.http2;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;

/** How a client reaches a ready-made pipeline: the transport, TLS, and the HTTP versions of both sides. Immutable. */
enum PipelineWire {
    HTTP_1(false, false, false, false),
    HTTP_1_BY_TLS(false, true, false, false),
    HTTP_1_CHOSEN(false, false, true, false),
    HTTP_1_BY_ALPN(false, true, true, false),
    HTTP_2_CHOSEN(false, false, true, true),
    HTTP_2_BY_ALPN(false, true, true, true),
    OIO_HTTP_1(true, false, false, false),
    OIO_HTTP_1_BY_ALPN(true, true, true, false),
    OIO_HTTP_2_CHOSEN(true, false, true, true),
    OIO_HTTP_2_BY_ALPN(true, true, true, true);

    final boolean blocks;
    final boolean isTls;
    final boolean serverHasHttp2;
    final boolean isHttp2;

    PipelineWire(boolean blocks, boolean isTls, boolean serverHasHttp2, boolean isHttp2) {
        this.blocks = blocks;
        this.isTls = isTls;
        this.serverHasHttp2 = serverHasHttp2;
        this.isHttp2 = isHttp2;
    }

    ChannelFactory newFactory() {
        return blocks ? new OioServerSocketChannelFactory() : new NioServerSocketChannelFactory(1);
    }

    SslContext serverTls() {
        return serverHasHttp2 ? Tls.SERVER_OF_BOTH : Tls.SERVER_OF_1;
    }

    /** The certificate for clients that ask for another name; no client trusts it. */
    SslContext otherTls() {
        return serverHasHttp2 ? Tls.OTHER_OF_BOTH : Tls.OTHER_OF_1;
    }

    /** Trusts the server, and resumes sessions. */
    SSLContext clientTls() {
        return Tls.CLIENT;
    }

    /** Created when a test needs it. */
    private static final class Tls {
        static final SslContext SERVER_OF_1;
        static final SslContext SERVER_OF_BOTH;
        static final SslContext OTHER_OF_1;
        static final SslContext OTHER_OF_BOTH;
        static final SSLContext CLIENT;

        static {
            try {
                SelfSignedCertificate certificate = Certificates.named("localhost");
                SERVER_OF_1 = builder(certificate).build();
                SERVER_OF_BOTH = ofBoth(certificate);
                SelfSignedCertificate other = Certificates.named("other.example");
                OTHER_OF_1 = builder(other).build();
                OTHER_OF_BOTH = ofBoth(other);
                CLIENT = Certificates.trusting(certificate.cert());
            } catch (SSLException e) {
                throw new AssertionError(e);
            }
        }

        private static SslContextBuilder builder(SelfSignedCertificate certificate) throws SSLException {
            return SslContextBuilder.forServer(certificate.key(), certificate.cert());
        }

        private static SslContext ofBoth(SelfSignedCertificate certificate) throws SSLException {
            return builder(certificate).applicationProtocols("h2", "http/1.1").build();
        }
    }
}
