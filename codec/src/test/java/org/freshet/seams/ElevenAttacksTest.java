package org.freshet.seams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.freshet.seams.AttackedJvm.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Eleven attackers run against the starter's service in a JVM of 64 MB. Other clients get every answer, and after the
 * attackers have left, the server holds what it held before. {@code -Dfreshet.test.attack=120} attacks for two minutes
 * and prints figures, along with those of an attack on another server on the same machine, because attackers take CPU
 * time from everyone; {@code -Dfreshet.test.attacks=RANGES,RESETS} runs only these attacks.
 */
@EnabledIf(value = "isWanted", disabledReason = "takes a while; -Dfreshet.seams=true runs it")
class ElevenAttacksTest {
    private static final Integer WANTED_SECONDS = Integer.getInteger("freshet.test.attack");
    private static final int SECONDS = WANTED_SECONDS == null ? 6 : WANTED_SECONDS;
    private static final int QUIET_SECONDS = Math.max(2, Math.min(20, SECONDS / 4));

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    @TempDir
    Path files;

    @TempDir
    Path temporary;

    @TempDir
    Path temporaryOfOther;

    static boolean isWanted() {
        return Seams.areAllRun() || WANTED_SECONDS != null;
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void shouldServeTheOthersAndHoldNothingAfterwards() throws Exception {
        byte[] page = "a line of a page\n".repeat(1000).getBytes(StandardCharsets.US_ASCII);
        Files.write(files.resolve("page.txt"), page);
        Files.write(files.resolve("large.bin"), new byte[1024 * 1024]);
        try (AttackedJvm server = new AttackedJvm(files, temporary)) {
            GoodClients.run(server.address, page, QUIET_SECONDS); // so that code is compiled and caches are filled
            GoodClients.Figures quiet = GoodClients.run(server.address, page, QUIET_SECONDS);
            assertEquals("[]", quiet.faults().toString());
            GoodClients.Figures beside = WANTED_SECONDS == null ? quiet : serveBesideAnAttackOnAnother(server, page);
            State before = server.state();
            GoodClients.Figures attacked;
            String rounds;
            try (Attackers attackers = new Attackers(server.address, attacks())) {
                attacked = GoodClients.run(server.address, page, SECONDS);
                rounds = attackers.rounds().toString();
            }
            State after = awaitPeace(server, before);
            print(quiet, beside, attacked, before, after, rounds);
            assertTrue(server.isAlive());
            assertEquals("[]", attacked.faults().toString());
            assertTrue(attacked.requests() > 0);
        }
    }

    /** What the attackers cost every process on a small machine, whichever server they attack. */
    private GoodClients.Figures serveBesideAnAttackOnAnother(AttackedJvm server, byte[] page) throws Exception {
        try (AttackedJvm other = new AttackedJvm(files, temporaryOfOther);
                Attackers attackers = new Attackers(other.address, attacks())) {
            GoodClients.Figures figures = GoodClients.run(server.address, page, SECONDS);
            assertTrue(attackers.rounds().values().stream().allMatch(count -> count.get() > 0));
            return figures;
        }
    }

    private static List<AttackKind> attacks() {
        String only = System.getProperty("freshet.test.attacks");
        return only == null
                ? List.of(AttackKind.values())
                : Stream.of(only.split(",")).map(AttackKind::valueOf).toList();
    }

    /** The server notices that connections have ended, and lingers on some. On a busy machine it has to catch up. */
    private static State awaitPeace(AttackedJvm server, State before) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        State last = server.state();
        while (!last.isBackTo(before)) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("the server held " + before + " before the attacks; it holds " + last);
            }
            LockSupport.parkNanos(LOOK_NANOS); // each check collects garbage
            last = server.state();
        }
        return last;
    }

    private static void print(
            GoodClients.Figures quiet,
            GoodClients.Figures beside,
            GoodClients.Figures attacked,
            State before,
            State after,
            String rounds) {
        if (WANTED_SECONDS != null) {
            System.out.printf(
                    "quiet: %s%nbeside an attack on another server: %s%nattacked: %s%nbefore: %s%nafter: %s%nrounds: %s%n",
                    quiet, beside, attacked, before, after, rounds);
        }
    }
}
