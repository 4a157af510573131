package org.freshet.example.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.security.cert.CertificateException;
import java.time.Duration;
import org.freshet.example.Arguments;

/**
 * Tests whether a server can run for a long time: echo, TLS, HTTP/1.1, HTTP/2 and WebSocket, over NIO and OIO. Clients
 * reset, stall and vanish, while servers are drained and replaced. Every byte and every future is checked, and so are
 * the resources left at the end.
 */
public final class Soak {
    private static final int MAX_MINUTES = 7 * 24 * 60;
    private static final int MAX_CLIENTS = 1000;
    private static final Duration WARM_UP = Duration.ofSeconds(2);

    /** The duration for 0 minutes. */
    private static final Duration BRIEFLY = Duration.ofSeconds(2);

    private Soak() {}

    public static void main(String[] args) throws InterruptedException, IOException, CertificateException {
        Arguments arguments = new Arguments("soak [MINUTES [CLIENTS]]", 0, 2, args);
        int minutes = arguments.number(0, "MINUTES", 0, MAX_MINUTES, 10);
        int clients = arguments.number(1, "CLIENTS", 1, MAX_CLIENTS, 8);
        boolean isRight = soak(minutes == 0 ? BRIEFLY : Duration.ofMinutes(minutes), clients, System.out);
        System.exit(isRight ? 0 : 1);
    }

    /** Returns whether there were no faults; the last line of the report says so, too. */
    private static boolean soak(Duration duration, int clients, PrintStream out)
            throws InterruptedException, IOException, CertificateException {
        Ledger ledger = new Ledger();
        new SoakRun(WARM_UP, ledger, out).run(clients); // the JDK keeps some resources after their first use
        Resources before = Resources.now();
        out.println("before: " + before);
        SoakRun run = new SoakRun(duration, ledger, out);
        run.run(clients);
        Resources after = before.awaitNoMore();
        after.moreThan(before).forEach(ledger::onFault);
        out.println("after: " + after);
        out.println("visits: " + ledger.visits());
        out.println(run.drains());
        out.printf(
                "%d exchanges, %d MiB and %d futures checked%n",
                ledger.exchanges(), ledger.bytesReceived() >> 20, ledger.futures());
        ledger.namedFaults().forEach(fault -> out.println("fault: " + fault));
        out.println(ledger.faults()
                + (ledger.faults() == 1 ? " fault: " : " faults: ")
                + (ledger.faults() == 0 ? "right" : "wrong"));
        return ledger.faults() == 0;
    }
}
