package org.freshet.microbench.compare.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jboss.netty.bootstrap.ServerBootstrap;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ServerChannelFactory;
import org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory;
import org.jboss.netty.channel.socket.oio.OioServerSocketChannelFactory;

/** Netty 3.10.6 over NIO, with one boss and one worker, or over OIO. */
final class Netty3Server implements PeerServer {
    /** Kept in a field, because unreferenced loggers are collected together with their levels. */
    private static final Logger LIBRARY_LOG = Logger.getLogger("org.jboss.netty");

    private final Netty3Pipelines pipelines;
    private final ServerBootstrap bootstrap;
    private Channel acceptor;

    private Netty3Server(Assignment assignment, ServerChannelFactory transport) {
        pipelines = new Netty3Pipelines(assignment);
        bootstrap = new ServerBootstrap(transport);
        assignment.childOptions().forEach(bootstrap::setOption);
    }

    static Netty3Server nio(Assignment assignment) {
        ExecutorService threads = Executors.newCachedThreadPool();
        return new Netty3Server(assignment, new NioServerSocketChannelFactory(threads, 1, threads, assignment.loops()));
    }

    static Netty3Server oio(Assignment assignment) {
        ExecutorService threads = Executors.newCachedThreadPool();
        return new Netty3Server(assignment, new OioServerSocketChannelFactory(threads, threads));
    }

    @Override
    public int start() {
        bootstrap.setOption("backlog", Servers.BACKLOG);
        bootstrap.setPipelineFactory(pipelines);
        acceptor = bootstrap.bind(Servers.anyLoopbackPort());
        return Servers.portOf(acceptor.getLocalAddress());
    }

    @Override
    public void close() {
        LIBRARY_LOG.setLevel(Level.OFF); // answers after the end would be logged with their stack traces
        acceptor.close().awaitUninterruptibly();
        bootstrap.releaseExternalResources();
        pipelines.close(); // last, because closing channels still need it
    }
}
