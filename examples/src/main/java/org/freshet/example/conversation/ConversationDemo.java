package org.freshet.example.conversation;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;

/**
 * Many players guess numbers at the same time, over NIO. Each connection has a thread at both ends, a virtual one if
 * the JVM has them.
 */
public final class ConversationDemo implements AutoCloseable {
    private static final int DEFAULT_PLAYERS = 200;
    private static final int MAX_PLAYERS = 4_000;
    private static final int MAX_GUESSES = 10; // 1,000 numbers, halved each time
    private static final long MAX_WAIT_SECONDS = 60;

    private final AtomicInteger games = new AtomicInteger();
    private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final ClientBootstrap clients = new ClientBootstrap(new NioClientSocketChannelFactory());

    private ConversationDemo() {
        server.setOption("backlog", MAX_PLAYERS); // all connect at the same time, and wait for the server's first line
        server.setPipelineFactory(() -> Guessing.pipeline(
                connection -> Guessing.host(connection, 1 + games.getAndIncrement() * 37 % Guessing.HIGHEST)));
    }

    public static void main(String[] args) throws Exception {
        int players = new Arguments("conversation [PLAYERS]", 0, 1, args)
                .number(0, "number of players", 1, MAX_PLAYERS, DEFAULT_PLAYERS);
        try (ConversationDemo demo = new ConversationDemo()) {
            int most = demo.play(players);
            System.out.println(players + " players found their numbers with at most " + most + " guesses: "
                    + (most <= MAX_GUESSES ? "right" : "wrong"));
        }
    }

    /** Returns the highest number of guesses. */
    private int play(int players) throws Exception {
        Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        List<CompletableFuture<Integer>> results = new ArrayList<>();
        for (int i = 0; i < players; i++) {
            CompletableFuture<Integer> result = new CompletableFuture<>();
            results.add(result);
            clients.setPipelineFactory(
                    () -> Guessing.pipeline(connection -> result.complete(Guessing.play(connection))));
            clients.connect(bound.getLocalAddress()).addListener(connected -> {
                if (!connected.isSuccess()) {
                    result.completeExceptionally(connected.getCause());
                }
            });
        }
        int most = 0;
        for (CompletableFuture<Integer> result : results) {
            int guesses = result.get(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
            if (guesses == 0) {
                throw new IllegalStateException("the server left in the middle of a game");
            }
            most = Math.max(most, guesses);
        }
        return most;
    }

    @Override
    public void close() {
        clients.releaseExternalResources();
        server.releaseExternalResources();
    }
}
