package org.freshet.example.uptime;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.freshet.example.Arguments;

/** A client that keeps its connection open, and a server that makes this hard, in one program, over loopback. */
public final class Uptime {
    private static final int SILENCE_MILLIS = 300;

    private Uptime() {}

    public static void main(String[] args) throws InterruptedException {
        new Arguments("uptime", 0, 0, args);
        System.out.println("uptime: a client that reconnects, whether its server hangs, goes away, or is not running");
        UptimeLog log = new UptimeLog();
        boolean ok = run(log);
        log.say(ok ? "the client is connected again: right" : "wrong");
        System.exit(ok ? 0 : 1);
    }

    private static boolean run(UptimeLog log) throws InterruptedException {
        UptimeServer server = new UptimeServer();
        SocketAddress address = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (Reconnector client = new Reconnector(address, SILENCE_MILLIS, log)) {
            try (server) {
                client.connect();
                if (!log.await(UptimeLog.Event.UP)) {
                    return false;
                }
                log.say("server: hangs");
                server.setHangs(true);
                if (!log.await(UptimeLog.Event.SILENT)) {
                    return false;
                }
                log.say("server: works");
                server.setHangs(false);
                if (!log.await(UptimeLog.Event.UP)) {
                    return false;
                }
                log.say("server: goes away");
            }
            return comesBack(address, log);
        }
    }

    private static boolean comesBack(SocketAddress address, UptimeLog log) throws InterruptedException {
        boolean noticed = log.await(UptimeLog.Event.DOWN);
        for (int attempts = 0; noticed && attempts < 3; attempts++) {
            noticed = log.await(UptimeLog.Event.FAILED);
        }
        try (UptimeServer server = new UptimeServer()) {
            server.bind(address);
            log.say("server: is back");
            boolean up = noticed && log.await(UptimeLog.Event.UP);
            log.say("both close");
            return up;
        }
    }
}
