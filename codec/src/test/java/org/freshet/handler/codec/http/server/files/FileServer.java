package org.freshet.handler.codec.http.server.files;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.AccessLogEntry;
import org.freshet.handler.codec.http.server.AccessLogHandler;
import org.freshet.handler.codec.http.server.CorsHandler;
import org.freshet.handler.codec.http.server.CorsRules;
import org.freshet.handler.codec.http.server.SelectiveContentCompressor;
import org.freshet.handler.codec.http2.HttpServerChooser;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Rig;

/** A file server on a real socket, with the handlers usually used with it, for clients written elsewhere. */
final class FileServer implements AutoCloseable {
    enum Kind {
        NIO(NioServerSocketChannelFactory::new),
        OIO(OioServerSocketChannelFactory::new),
        TLS(NioServerSocketChannelFactory::new),
        HTTP_2(NioServerSocketChannelFactory::new),
        HTTP_2_TLS(NioServerSocketChannelFactory::new);

        private final Supplier<ChannelFactory> factory;

        Kind(Supplier<ChannelFactory> factory) {
            this.factory = factory;
        }

        boolean isSecure() {
            return this == TLS || this == HTTP_2_TLS;
        }

        boolean isHttp2() {
            return this == HTTP_2 || this == HTTP_2_TLS;
        }
    }

    /** The lines of the access log, one per request. */
    final List<String> log = new CopyOnWriteArrayList<>();

    /** The unhandled exceptions. */
    final List<Throwable> failures = new CopyOnWriteArrayList<>();

    private final Kind kind;
    private final Rig rig;
    private final Channel channel;
    private final SslContext tls;

    FileServer(Kind kind, StaticFiles files) throws Exception {
        this.kind = kind;
        tls = kind.isSecure() ? newTls(kind.isHttp2() ? new String[] {"h2"} : new String[0]) : null;
        rig = new Rig(kind.factory.get(), new NioClientSocketChannelFactory());
        rig.server().setOption("child.tcpNoDelay", true);
        rig.server().setPipelineFactory(() -> newPipeline(files));
        channel = rig.server().bind(new InetSocketAddress("127.0.0.1", 0));
    }

    private static SslContext newTls(String... protocols) throws SSLException {
        SelfSignedCertificate certificate = Certificates.named("localhost");
        return SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .applicationProtocols(protocols)
                .build();
    }

    private ChannelPipeline newPipeline(StaticFiles files) {
        ChannelPipeline pipeline = Channels.pipeline();
        if (tls != null) {
            pipeline.addLast("tls", tls.newHandler());
        }
        if (kind.isHttp2()) {
            pipeline.addLast("chooser", new HttpServerChooser(() -> addHandlers(Channels.pipeline(), files)));
        } else {
            pipeline.addLast("codec", new HttpServerCodec());
            addHandlers(pipeline, files);
        }
        return pipeline;
    }

    private ChannelPipeline addHandlers(ChannelPipeline pipeline, StaticFiles files) {
        pipeline.addLast("log", new AccessLogHandler(FileServer::line, log::add));
        pipeline.addLast("compressor", new SelectiveContentCompressor());
        pipeline.addLast(
                "cors", new CorsHandler(CorsRules.builder().allowAny(rule -> {}).build()));
        pipeline.addLast("files", new StaticFileHandler(files));
        pipeline.addLast("end", end());
        return pipeline;
    }

    private static String line(AccessLogEntry entry) {
        return entry.method() + " " + entry.target() + " " + entry.status() + " " + entry.contentBytes()
                + (entry.complete() ? "" : " cut");
    }

    private ChannelHandler end() {
        return new SimpleChannelUpstreamHandler() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                failures.add(e.getCause());
                e.getChannel().close();
            }
        };
    }

    InetSocketAddress address() {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    String url(String target) {
        return (kind.isSecure() ? "https" : "http") + "://127.0.0.1:"
                + address().getPort() + target;
    }

    @Override
    public void close() {
        rig.close();
    }
}
