package org.freshet.example.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.handler.ssl.SslContext;

/** Client threads that make visits, one after the other, each chosen at random, until they are stopped. */
final class Load {
    /** A visit, and the name under which it is counted. */
    private record Named(String name, Visit visit) {}

    private static final int MAX_END_SECONDS = 120;

    private final Fleet fleet;
    private final Ledger ledger;
    private final RudeVisit rude = new RudeVisit();
    private final List<ChannelFactory> factories =
            List.of(new NioClientSocketChannelFactory(1), new OioClientSocketChannelFactory());
    private final List<Named> visits;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isOver;

    Load(Fleet fleet, SslContext tls, Ledger ledger) {
        this.fleet = fleet;
        this.ledger = ledger;
        visits = List.of(
                new Named("echo", new EchoVisit(null)),
                new Named("echo", new EchoVisit(null)),
                new Named("TLS echo", new EchoVisit(tls)),
                new Named("TLS echo", new EchoVisit(tls)),
                new Named("HTTP/1.1", HttpVisits::pipelined),
                new Named("HTTP/1.1", HttpVisits::pipelined),
                new Named("HTTP/2", HttpVisits::streams),
                new Named("HTTP/2", HttpVisits::streams),
                new Named("WebSocket", new WebSocketVisit()),
                new Named("WebSocket", new WebSocketVisit()),
                new Named("reset", rude::reset),
                new Named("stall", rude::stall),
                new Named("half-close", rude::halfClose),
                new Named("vanish", rude::vanish));
    }

    void start(int clients) {
        for (int i = 0; i < clients; i++) {
            Random random = new Random(i);
            Thread thread = new Thread(() -> visitRepeatedly(random), "soak-client-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void visitRepeatedly(Random random) {
        while (!isOver) {
            Named named = visits.get(random.nextInt(visits.size()));
            SoakServer server = fleet.any(random);
            visit(named, new Guest(server, factories.get(random.nextInt(factories.size())), random, ledger));
        }
    }

    private void visit(Named named, Guest guest) {
        try {
            named.visit.pay(guest);
            ledger.onVisit(named.name);
        } catch (ClosedEarlyException | IOException e) {
            // Closed by a server that is being drained, or at its deadline. Otherwise a server must not close a
            // connection in use.
            if (guest.server().isDrained()) {
                ledger.onVisit("cut short by a drain");
            } else {
                ledger.onFault(named.name + ": " + withCauses(e));
            }
        } catch (WrongException | RuntimeException | InterruptedException e) {
            ledger.onFault(named.name + ": " + withCauses(e));
        }
    }

    private static String withCauses(Throwable e) {
        StringBuilder text = new StringBuilder(e.toString());
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            text.append(", because of ").append(cause);
        }
        return text.toString();
    }

    /** Waits for the current visits, and frees the clients' resources. */
    void end() throws InterruptedException, IOException {
        isOver = true;
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_END_SECONDS);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime())));
            if (thread.isAlive()) {
                ledger.onFault(thread.getName() + " did not end: " + List.of(thread.getStackTrace()));
            }
        }
        rude.close();
    }

    /** Called after the servers' drain: closes everything still open. */
    void release() {
        factories.forEach(ChannelFactory::releaseExternalResources);
    }
}
