package org.freshet.channel.socket.nio;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.channel.socket.nio.DatagramRig.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.socket.nio.DatagramRig.Mailbox;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.jboss.netty.bootstrap.ConnectionlessBootstrap;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelFuture;
import org.jboss.netty.channel.ChannelStateEvent;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.ExceptionEvent;
import org.jboss.netty.channel.FixedReceiveBufferSizePredictorFactory;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.channel.socket.nio.NioDatagramChannelFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** UDP channels of Netty 3, as peers and as the reference for events. */
class NioDatagramPeerTest {
    private final DatagramRig datagrams = new DatagramRig();
    private final NioDatagramChannelFactory nettyFactory = new NioDatagramChannelFactory();

    @AfterEach
    void release() {
        datagrams.close();
        nettyFactory.releaseExternalResources();
    }

    private Channel bindNetty(SimpleChannelUpstreamHandler handler) {
        ConnectionlessBootstrap bootstrap = new ConnectionlessBootstrap(nettyFactory);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(handler));
        bootstrap.setOption("receiveBufferSizePredictorFactory", new FixedReceiveBufferSizePredictorFactory(65_536));
        return bootstrap.bind(Rig.FREE_PORT);
    }

    @Test
    void shouldExchangeDatagramsOfAnySizeWithNetty() {
        Channel echo = bindNetty(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(
                    org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
                e.getChannel().write(e.getMessage(), e.getRemoteAddress());
            }
        });
        Mailbox mailbox = new Mailbox();
        NioDatagramChannel channel = datagrams.bind(mailbox);
        Random random = Seeds.random();
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            byte[] content =
                    new byte[1 + random.nextInt(random.nextBoolean() ? 100 : 9000)]; // Netty 3 drops empty ones
            random.nextBytes(content);
            sent.add(new String(content, ISO_8859_1));
            Await.success(channel.write(bytes(sent.get(i)), echo.getLocalAddress()), "a write");
            int expected = i + 1; // one at a time: a full socket drops datagrams
            Await.until(() -> mailbox.letters().size() == expected, "answer " + i);
        }
        assertEquals(sent, mailbox.letters());
        assertEquals(echo.getLocalAddress(), mailbox.senders().get(0));
    }

    /** Bind, connect, one datagram each way, disconnect, close. */
    @Test
    void shouldFireTheSameEventsAsNetty() {
        NettyScript netty = new NettyScript();
        Channel theirs = bindNetty(netty);
        List<String> ourEvents = Collections.synchronizedList(new ArrayList<>());
        Mailbox ours = new Mailbox() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                ourEvents.add(EventNames.of(e) + (e instanceof MessageEvent m ? " " + text(m.getMessage()) : ""));
                super.handleUpstream(ctx, e);
            }
        };
        NioDatagramChannel channel = datagrams.bind(ours);
        Await.success(channel.connect(theirs.getLocalAddress()), "Freshet's connect");
        await(theirs.connect(channel.getLocalAddress()));
        Await.success(channel.write(bytes("to Netty")), "Freshet's write");
        await(theirs.write(ChannelBuffers.copiedBuffer("from Netty", ISO_8859_1)));
        ours.awaitLetters(1);
        Await.latch(netty.received, "Freshet's datagram at Netty");
        Rig.onLoop(channel, () -> {}); // a write that follows on the loop has completed
        Await.success(channel.disconnect(), "Freshet's disconnect");
        await(theirs.disconnect());
        Await.success(channel.close(), "Freshet's close");
        await(theirs.close());
        ours.awaitClosed();
        Await.latch(netty.closed, "Netty's close");
        assertEquals(netty.sorted("to Netty"), sorted(ourEvents, "from Netty"));
    }

    private static void await(ChannelFuture future) {
        Await.until(future::isDone, "an operation of Netty's");
        assertEquals(true, future.isSuccess(), () -> String.valueOf(future.getCause()));
    }

    private static String text(Object message) {
        return ((org.freshet.buffer.ChannelBuffer) message).toString(ISO_8859_1);
    }

    /** The states in order; messages and completions separately, because a state may come before or after those. */
    private static List<String> sorted(List<String> events, String message) {
        List<String> sorted = new ArrayList<>(events);
        List<String> unordered = List.of("message " + message, "writeComplete");
        sorted.removeAll(unordered);
        for (String event : unordered) {
            sorted.add(event.split(" ")[0] + " x" + Collections.frequency(events, event));
        }
        return sorted;
    }

    private static final class NettyScript extends SimpleChannelUpstreamHandler {
        final CountDownLatch received = new CountDownLatch(1);
        final CountDownLatch closed = new CountDownLatch(1);
        private final List<String> events = Collections.synchronizedList(new ArrayList<>());

        List<String> sorted(String message) {
            return NioDatagramPeerTest.sorted(events, message);
        }

        @Override
        public void handleUpstream(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.ChannelEvent e) {
            if (e instanceof ChannelStateEvent state) {
                events.add(name(state));
            } else if (e instanceof org.jboss.netty.channel.MessageEvent message) {
                events.add("message " + ((ChannelBuffer) message.getMessage()).toString(ISO_8859_1));
                received.countDown();
            } else if (e instanceof ExceptionEvent failure) {
                events.add("exception " + failure.getCause());
            } else {
                events.add("writeComplete");
            }
            if (events.contains("closed")) {
                closed.countDown();
            }
        }

        private static String name(ChannelStateEvent e) {
            return switch (e.getState()) {
                case OPEN -> Boolean.TRUE.equals(e.getValue()) ? "open" : "closed";
                case BOUND -> e.getValue() instanceof InetSocketAddress ? "bound" : "unbound";
                case CONNECTED -> e.getValue() != null ? "connected" : "disconnected";
                case INTEREST_OPS -> "interest";
            };
        }
    }
}
