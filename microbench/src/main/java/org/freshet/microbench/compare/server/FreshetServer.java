package org.freshet.microbench.compare.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ServerChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** Freshet over NIO, with one boss and one worker, or over OIO. */
final class FreshetServer implements PeerServer {
    private final FreshetPipelines pipelines;

    /** Null unless the pipelines need one. */
    private Timer timer;

    /** Null unless connections are recorded. */
    private TapFile tap;

    private final ServerBootstrap bootstrap;
    private ChannelPipelineFactory factory;
    private Channel acceptor;

    private FreshetServer(Assignment assignment, ServerChannelFactory transport) {
        pipelines = new FreshetPipelines(assignment);
        factory = pipelines;
        bootstrap = new ServerBootstrap(transport);
        assignment.childOptions().forEach(bootstrap::setOption);
    }

    static FreshetServer nio(Assignment assignment) {
        ExecutorService threads = Executors.newCachedThreadPool();
        return new FreshetServer(
                assignment, new NioServerSocketChannelFactory(threads, 1, threads, assignment.loops()));
    }

    /** Uses the ready-made pipeline of an HTTP server. */
    static FreshetServer ready(Assignment assignment) {
        FreshetServer server = nio(assignment);
        server.timer = new HashedWheelTimer();
        server.factory = server.pipelines.readyMade(server.timer);
        return server;
    }

    /** Answers with a function of the request. */
    static FreshetServer function(Assignment assignment) {
        FreshetServer server = nio(assignment);
        server.factory = server.pipelines.function();
        return server;
    }

    /** Uses an echo handler that borrows reads. */
    static FreshetServer borrowing(Assignment assignment) {
        FreshetServer server = nio(assignment);
        server.factory = FreshetPipelines::borrowing;
        return server;
    }

    /** Uses an echo written as a conversation. */
    static FreshetServer conversing(Assignment assignment) {
        FreshetServer server = nio(assignment);
        server.factory = server.pipelines.conversing();
        return server;
    }

    /** Uses Java's object streams at both ends. */
    static FreshetServer objectStreams(Assignment assignment) {
        FreshetServer server = nio(assignment);
        server.factory = server.pipelines.objectStreams();
        return server;
    }

    /** Uses an echo that reuses its buffers. */
    static FreshetServer recycling(Assignment assignment) {
        FreshetServer server = nio(assignment);
        server.factory = new RecyclingEcho()::pipeline;
        return server;
    }

    /** Uses a tap on each connection. */
    static FreshetServer tapped(Assignment assignment) {
        FreshetServer server = nio(assignment);
        server.tap = TapFile.open();
        server.factory = () -> {
            ChannelPipeline pipeline = server.pipelines.getPipeline();
            pipeline.addFirst("tap", server.tap.newHandler());
            return pipeline;
        };
        return server;
    }

    static FreshetServer oio(Assignment assignment) {
        ExecutorService threads = Executors.newCachedThreadPool();
        return new FreshetServer(assignment, new OioServerSocketChannelFactory(threads, threads));
    }

    /** Runs on virtual threads, the default if the JVM has them. */
    static FreshetServer oioOnVirtualThreads(Assignment assignment) {
        return new FreshetServer(assignment, new OioServerSocketChannelFactory());
    }

    @Override
    public int start() {
        bootstrap.setOption("backlog", Servers.BACKLOG);
        bootstrap.setPipelineFactory(factory);
        acceptor = bootstrap.bind(Servers.anyLoopbackPort());
        return Servers.portOf(acceptor.getLocalAddress());
    }

    @Override
    public void close() {
        acceptor.close().awaitUninterruptibly();
        bootstrap.releaseExternalResources();
        if (timer != null) {
            timer.stop();
        }
        if (tap != null) {
            tap.close();
        }
        pipelines.close(); // last, because closing channels still need it
    }
}
