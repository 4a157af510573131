package org.freshet.example.stompchat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.example.Arguments;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/**
 * A server and two clients in one program, over loopback. At the end they are silent, and heart-beats keep the
 * connections alive.
 */
public final class StompChat {
    private static final Duration HEART_BEAT = Duration.ofMillis(400);
    private static final String WEATHER = "/topic/weather";
    private static final String NEWS = "/topic/news";

    private StompChat() {}

    public static void main(String[] args) throws Exception {
        new Arguments("stomp-chat", 0, 0, args);
        System.out.println("stomp-chat: two clients subscribe to topics and send to them");
        Timer timer = new HashedWheelTimer(20, TimeUnit.MILLISECONDS);
        ServerBootstrap bootstrap = StompChatServer.newBootstrap(timer, HEART_BEAT);
        boolean ok;
        try {
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            ok = chat((InetSocketAddress) bootstrap.bind(any).getLocalAddress(), timer);
        } finally {
            bootstrap.releaseExternalResources();
            timer.stop();
        }
        System.out.println("each client received what it subscribed to: " + (ok ? "right" : "wrong"));
        System.exit(ok ? 0 : 1);
    }

    private static boolean chat(InetSocketAddress server, Timer timer) throws InterruptedException {
        try (StompChatClient ann = new StompChatClient("ann", server, timer, HEART_BEAT);
                StompChatClient bob = new StompChatClient("bob", server, timer, HEART_BEAT)) {
            ann.subscribe(WEATHER);
            bob.subscribe(WEATHER);
            bob.subscribe(NEWS);
            bob.send(WEATHER, "it rains");
            boolean heard =
                    ann.awaitMessage().equals("it rains") && bob.awaitMessage().equals("it rains");
            bob.unsubscribe(WEATHER);
            ann.send(WEATHER, "the sun shines");
            ann.send(NEWS, "nothing happened");
            heard &= ann.awaitMessage().equals("the sun shines")
                    && bob.awaitMessage().equals("nothing happened");
            TimeUnit.MILLISECONDS.sleep(
                    4 * HEART_BEAT.toMillis()); // longer than either side would wait without heart-beats
            System.out.println(
                    "after a silence of " + HEART_BEAT.multipliedBy(4).toMillis() + " ms, ann is "
                            + (ann.isConnected() ? "still" : "no longer") + " connected");
            return heard && ann.isConnected() && bob.isConnected();
        } catch (TimeoutException e) {
            System.err.println("failed: " + e.getMessage());
            return false;
        }
    }
}
