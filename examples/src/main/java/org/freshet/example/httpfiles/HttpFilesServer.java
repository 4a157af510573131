package org.freshet.example.httpfiles;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.AccessLogFormat;
import org.freshet.handler.codec.http.server.AccessLogHandler;
import org.freshet.handler.codec.http.server.CorsHandler;
import org.freshet.handler.codec.http.server.CorsRules;
import org.freshet.handler.codec.http.server.SelectiveContentCompressor;
import org.freshet.handler.codec.http.server.files.StaticFileHandler;
import org.freshet.handler.codec.http.server.files.StaticFiles;
import org.freshet.handler.timeout.IdleStateAwareChannelUpstreamHandler;
import org.freshet.handler.timeout.IdleStateEvent;
import org.freshet.handler.timeout.IdleStateHandler;
import org.freshet.handler.traffic.BackPressureHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** Serves the files of a directory, until it is stopped. Use curl or a browser. */
public final class HttpFilesServer {
    private static final int DEFAULT_PORT = 8080;
    private static final int SILENCE_SECONDS = 60;

    private HttpFilesServer() {}

    public static void main(String[] args) {
        Arguments arguments = new Arguments("http-files-server [PORT [DIRECTORY]]", 0, 2, args);
        Path directory = Path.of(arguments.count() > 1 ? arguments.text(1) : ".");
        try {
            ServerBootstrap bootstrap = newBootstrap(directory, new HashedWheelTimer(), System.out::println);
            Channel server = bootstrap.bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            System.out.println("serving " + directory.toAbsolutePath().normalize() + " on " + server.getLocalAddress()
                    + "; stop with Ctrl+C");
            curlCommands(server).forEach(line -> System.out.println("try: " + line));
        } catch (ChannelException | IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    static List<String> curlCommands(Channel server) {
        String url = "http://localhost:" + ((InetSocketAddress) server.getLocalAddress()).getPort() + "/FILE";
        return List.of(
                "curl -i " + url,
                "curl -r 0-99 " + url,
                "curl -C - -O " + url,
                "curl --compressed " + url,
                "curl -I -z yesterday " + url);
    }

    /**
     * @param timer for the time-outs of idle connections; the caller stops it
     * @param log receives a line for each request
     */
    static ServerBootstrap newBootstrap(Path directory, Timer timer, Consumer<String> log) {
        StaticFiles files = StaticFiles.under(directory)
                .precompressed(true)
                .cacheControl("no-cache") // clients ask each time, and mostly get 304
                .build();
        CorsRules rules = CorsRules.builder().allowAny(rule -> {}).build();
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            pipeline.addLast("idle", new IdleStateHandler(timer, 0, 0, SILENCE_SECONDS));
            pipeline.addLast("backPressure", new BackPressureHandler());
            pipeline.addLast("codec", new HttpServerCodec());
            pipeline.addLast("log", new AccessLogHandler(AccessLogFormat.combined(), log));
            pipeline.addLast("compressor", new SelectiveContentCompressor());
            pipeline.addLast("cors", new CorsHandler(rules));
            pipeline.addLast("files", new StaticFileHandler(files));
            pipeline.addLast("end", new Closing());
            return pipeline;
        });
        bootstrap.setOption("child.tcpNoDelay", true);
        return bootstrap;
    }

    /** Closes connections that are silent, broken, or not HTTP. */
    @Sharable
    private static final class Closing extends IdleStateAwareChannelUpstreamHandler {
        @Override
        public void channelIdle(ChannelHandlerContext ctx, IdleStateEvent e) {
            e.getChannel().close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close();
        }
    }
}
