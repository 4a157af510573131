package org.freshet.example.uptime;

import java.net.InetSocketAddress;
import org.freshet.example.Arguments;

/** Keeps a connection to any server open and reports on it, until it is stopped. */
public final class UptimeClient {
    private static final int SILENCE_MILLIS = 60_000;

    private UptimeClient() {}

    @SuppressWarnings("resource") // lives until the program is stopped
    public static void main(String[] args) {
        Arguments arguments = new Arguments("uptime-client HOST PORT", 2, 2, args);
        InetSocketAddress server = new InetSocketAddress(arguments.text(0), arguments.port(1, 0));
        if (server.isUnresolved()) {
            throw arguments.refuse("unknown host: " + arguments.text(0));
        }
        UptimeLog log = new UptimeLog();
        log.say("keeping a connection to " + server + "; stop with Ctrl+C");
        new Reconnector(server, SILENCE_MILLIS, log).connect();
    }
}
