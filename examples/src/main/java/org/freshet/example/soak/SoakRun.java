package org.freshet.example.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** Runs servers and load from start to end. One thread. */
final class SoakRun {
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX_WAIT_SECONDS = 30;
    private static final Duration MAX_DRAIN = Duration.ofSeconds(10);

    private final Duration duration;
    private final PrintStream out;
    private final Ledger ledger;
    private String drains = "";

    /** The count one minute ago. */
    private long exchangesBefore;

    private long bytesBefore;

    /** @param out receives one line per minute */
    SoakRun(Duration duration, Ledger ledger, PrintStream out) {
        this.duration = duration;
        this.ledger = ledger;
        this.out = out;
    }

    /** Starts everything, and stops everything. */
    void run(int clients) throws InterruptedException, IOException, CertificateException {
        Timer timer = new HashedWheelTimer();
        SelfSignedCertificate certificate = new SelfSignedCertificate("localhost");
        try {
            Fleet fleet = new Fleet(timer, serverTls(certificate), ledger, drainDeadline());
            Load load = new Load(fleet, clientTls(certificate), ledger);
            load.start(clients);
            rollUntilTheEnd(fleet);
            load.end();
            fleet.end();
            drains = fleet.toString();
            load.release();
            awaitFutures();
        } finally {
            timer.stop();
            certificate.delete();
        }
    }

    /** Short runs have short drains; otherwise these would take most of the time. */
    private Duration drainDeadline() {
        return duration.compareTo(MAX_DRAIN) < 0 ? duration : MAX_DRAIN;
    }

    /** Returns a summary of the drains. */
    String drains() {
        return drains;
    }

    private static SslContext serverTls(SelfSignedCertificate certificate) throws SSLException {
        return SslContextBuilder.forServer(List.of(certificate.cert()), certificate.key())
                .build();
    }

    private static SslContext clientTls(SelfSignedCertificate certificate) throws SSLException {
        return SslContextBuilder.forClient()
                .trust(certificate.cert())
                .verifyHostname(false)
                .build();
    }

    private void rollUntilTheEnd(Fleet fleet) throws InterruptedException {
        long startNanos = System.nanoTime();
        long stepNanos = Math.min(duration.toNanos() / 4, MINUTE_NANOS / 4);
        long minutes = 0;
        for (long step = 1; step * stepNanos <= duration.toNanos(); step++) {
            sleepUntil(startNanos + step * stepNanos);
            if ((System.nanoTime() - startNanos) / MINUTE_NANOS > minutes) {
                minutes = (System.nanoTime() - startNanos) / MINUTE_NANOS;
                printMinute(minutes);
            }
            fleet.roll();
        }
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
    }

    private void printMinute(long minute) {
        long exchanges = ledger.exchanges();
        long bytes = ledger.bytesReceived();
        out.printf(
                "%3d min: %d exchanges/s and %.1f MiB/s, %d channels open, %d MiB of heap, %d descriptors, %d faults%n",
                minute,
                (exchanges - exchangesBefore) / 60,
                (bytes - bytesBefore) / 60 / 1048576.0,
                ledger.openChannels(),
                Resources.usedHeapBytes() >> 20,
                Resources.openDescriptors(),
                ledger.faults());
        exchangesBefore = exchanges;
        bytesBefore = bytes;
    }

    /** Checks that every future has completed and every channel was closed, now that everything is released. */
    private void awaitFutures() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS);
        while ((ledger.futuresThatWait() > 0 || ledger.openChannels() > 0) && System.nanoTime() < deadlineNanos) {
            Thread.sleep(20);
        }
        if (ledger.futuresThatWait() > 0) {
            ledger.onFault(ledger.futuresThatWait() + " of " + ledger.futures() + " futures have not completed");
        }
        if (ledger.openChannels() != 0) {
            ledger.onFault(ledger.openChannels() + " channels are open at the end");
        }
    }
}
