package org.freshet.example.stompchat;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.stomp.StompFrameAggregator;
import org.freshet.handler.codec.stomp.StompFrameDecoder;
import org.freshet.handler.codec.stomp.StompFrameEncoder;
import org.freshet.handler.codec.stomp.StompHeartBeatHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** Forwards messages for a topic to its subscribers, until it is stopped. */
public final class StompChatServer {
    private static final int DEFAULT_PORT = 61613;
    private static final int MAX_CONTENT_LENGTH = 65536;

    private StompChatServer() {}

    public static void main(String[] args) {
        Arguments arguments = new Arguments("stomp-chat-server [PORT]", 0, 1, args);
        ServerBootstrap bootstrap = newBootstrap(new HashedWheelTimer(), Duration.ofSeconds(10));
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            System.out.println("serving topics on " + server.getLocalAddress() + "; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /** @param timer for heart-beats; the caller stops it */
    static ServerBootstrap newBootstrap(Timer timer, Duration heartBeat) {
        Topics topics = new Topics(); // one instance for all, so that they meet
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = newPipeline(timer, heartBeat);
            pipeline.addLast("topics", new TopicHandler(topics));
            return pipeline;
        });
        bootstrap.setOption("child.tcpNoDelay", true);
        return bootstrap;
    }

    /** The common part of server and client. */
    static ChannelPipeline newPipeline(Timer timer, Duration heartBeat) {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("decoder", new StompFrameDecoder());
        pipeline.addLast("encoder", new StompFrameEncoder());
        pipeline.addLast("heart-beat", new StompHeartBeatHandler(timer, heartBeat, heartBeat));
        pipeline.addLast("aggregator", new StompFrameAggregator(MAX_CONTENT_LENGTH));
        return pipeline;
    }
}
