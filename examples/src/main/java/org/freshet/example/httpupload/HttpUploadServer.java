package org.freshet.example.httpupload;

import java.net.InetSocketAddress;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.multipart.DefaultHttpDataFactory;
import org.freshet.handler.codec.http.multipart.HttpDataFactory;
import org.freshet.handler.timeout.ReadTimeoutHandler;
import org.freshet.handler.traffic.BackPressureHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** Accepts forms with files, until it is stopped. Use curl or a browser. */
public final class HttpUploadServer {
    static final int MAX_MEBIBYTES = 100;
    static final int MAX_FIELD_BYTES = 65536;

    private static final HttpLimits LIMITS = HttpLimits.standard().toBuilder()
            .maxContentLength(MAX_MEBIBYTES * 1024L * 1024)
            .maxFormFields(16)
            .maxFormFieldSize(MAX_FIELD_BYTES)
            .build();
    private static final int DEFAULT_PORT = 8080;
    private static final int SILENCE_SECONDS = 60;

    private HttpUploadServer() {}

    public static void main(String[] args) {
        Arguments arguments = new Arguments("http-upload-server [PORT]", 0, 1, args);
        ServerBootstrap bootstrap = newBootstrap(new HashedWheelTimer());
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            System.out.println("taking uploads on " + server.getLocalAddress() + "; stop with Ctrl+C");
            System.out.println("try: " + curlCommand(server));
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    static String curlCommand(Channel server) {
        return "curl -F title=Report -F file=@FILE http://localhost:"
                + ((InetSocketAddress) server.getLocalAddress()).getPort() + "/";
    }

    /** @param timer for the time-outs of idle connections; the caller stops it */
    static ServerBootstrap newBootstrap(Timer timer) {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        HttpDataFactory factory = new DefaultHttpDataFactory();
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            pipeline.addLast("timeout", new ReadTimeoutHandler(timer, SILENCE_SECONDS));
            pipeline.addLast("backPressure", new BackPressureHandler());
            pipeline.addLast("codec", new HttpServerCodec(LIMITS));
            pipeline.addLast("upload", new HttpUploadHandler(factory, LIMITS));
            return pipeline;
        });
        bootstrap.setOption("child.tcpNoDelay", true);
        return bootstrap;
    }
}
