package org.freshet.example.soak;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** A polite client's connection or HTTP/2 stream: its thread waits for the messages that the handler receives. */
final class Connection extends SimpleChannelUpstreamHandler implements AutoCloseable {
    /** Far longer than an answer takes on a busy machine. */
    private static final int MAX_WAIT_SECONDS = 60;

    private static final Object CLOSED = new Object();

    private final Ledger ledger;
    private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();
    private volatile Throwable failure;
    private Channel channel;

    private Connection(Ledger ledger) {
        this.ledger = ledger;
    }

    static Connection open(Guest guest, Service service, ChannelHandler... handlers)
            throws ClosedEarlyException, WrongException, InterruptedException {
        return open(guest, guest.factory(), guest.address(service), handlers);
    }

    /** @param handlers placed between the transport and this connection */
    static Connection open(Guest guest, ChannelFactory factory, SocketAddress address, ChannelHandler... handlers)
            throws ClosedEarlyException, WrongException, InterruptedException {
        Connection connection = new Connection(guest.ledger());
        ChannelPipeline pipeline = Channels.pipeline(handlers);
        pipeline.addFirst("ledger", guest.ledger().handler());
        pipeline.addLast("connection", connection);
        ClientBootstrap bootstrap = new ClientBootstrap(factory);
        bootstrap.setPipelineFactory(() -> pipeline);
        bootstrap.setOption("tcpNoDelay", true);
        ChannelFuture connected = bootstrap.connect(address);
        connection.channel = connected.getChannel();
        connection.await(connected, "connecting");
        return connection;
    }

    Channel channel() {
        return channel;
    }

    /** Waits for success. */
    void await(ChannelFuture future, String what) throws ClosedEarlyException, WrongException, InterruptedException {
        ledger.watch(future);
        if (!future.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw new WrongException(what + " has not completed within " + MAX_WAIT_SECONDS + " s");
        }
        if (!future.isSuccess()) {
            throw new ClosedEarlyException(what + " failed", future.getCause());
        }
    }

    void write(Object message) {
        ledger.watch(channel.write(message)); // if that fails, the channel closes, and next() reports it
    }

    /** Waits for the next message. */
    Object next() throws ClosedEarlyException, WrongException, InterruptedException {
        Object message = received.poll(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        if (message == null) {
            throw new WrongException("nothing arrived within " + MAX_WAIT_SECONDS + " s");
        }
        if (message == CLOSED) {
            throw new ClosedEarlyException("closed: " + channel.getCloseReason(), failure);
        }
        return message;
    }

    @Override
    public void close() {
        ledger.watch(channel.close());
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        received.add(e.getMessage());
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        received.add(CLOSED);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        failure = e.getCause();
        if (!(failure instanceof IOException)) {
            ledger.onFault("a client's handler got " + failure);
        }
        e.getChannel().close();
    }
}
