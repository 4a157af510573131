package org.freshet.example.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;

/** Connects to targets, if the rules allow them. Any thread. */
final class TunnelConnector {
    private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

    private final ChannelFactory factory;
    private final Executor resolvers;
    private final TargetRules rules;
    private final ProxyLoad load = new ProxyLoad();

    /** @param resolvers runs look-ups, which block */
    TunnelConnector(ChannelFactory factory, Executor resolvers, TargetRules rules) {
        this.factory = factory;
        this.resolvers = resolvers;
        this.rules = rules;
    }

    /** Makes the client's side relay to the target's side from now on. */
    RelayHandler relayTo(Channel back) {
        return new RelayHandler(back, load);
    }

    /** Returns a connected channel whose reading is suspended. */
    CompletableFuture<Channel> connect(Channel front, String host, int port) {
        CompletableFuture<Channel> connected = new CompletableFuture<>();
        resolvers.execute(() -> {
            try {
                open(front, rules.resolve(host, port), connected);
            } catch (IOException | RuntimeException e) {
                connected.completeExceptionally(e);
            }
        });
        return connected;
    }

    private void open(Channel front, InetSocketAddress target, CompletableFuture<Channel> connected) {
        Channel back = factory.newChannel(Channels.pipeline(new BackHandler(front, load)));
        back.getConfig().setConnectTimeoutMillis(CONNECT_TIMEOUT_MILLIS);
        back.getConfig().setOption(ChannelOption.TCP_NODELAY.key(), true);
        back.getConfig().setOption(ChannelOption.ALLOW_HALF_CLOSURE.key(), true);
        back.setReadable(false); // before the client can learn of it and resume reading
        back.connect(target).addListener(future -> {
            if (future.isSuccess()) {
                connected.complete(back);
            } else {
                connected.completeExceptionally(future.getCause());
                back.close();
            }
        });
    }

    /** The target's side: waits until the client knows that the tunnel is open. */
    private static final class BackHandler extends RelayHandler {
        private boolean connected;

        BackHandler(Channel front, ProxyLoad load) {
            super(front, load);
        }

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            connected = true;
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (connected) { // otherwise the client has received a refusal
                super.channelClosed(ctx, e);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            if (connected) {
                super.exceptionCaught(ctx, e);
            }
        }
    }
}
