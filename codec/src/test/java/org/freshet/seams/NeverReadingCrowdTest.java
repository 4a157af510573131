package org.freshet.seams;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.freshet.seams.Crowd.Way;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A crowd that never reads, in a JVM of 64 MB whose application writes without checking: the budget holds, and
 * neighbours that check and read get every answer, although much of it has to wait. With {@code
 * -Dfreshet.test.crowd=500} the crowd is as large as one that exhausts a JVM without the budget.
 */
@EnabledIf(value = "org.freshet.seams.Seams#areAllRun", disabledReason = "takes minutes; -Dfreshet.seams=true runs it")
@Timeout(300)
class NeverReadingCrowdTest {
    private static final int CROWD = Integer.getInteger("freshet.test.crowd", 40);
    private static final int NEIGHBOURS = 10;
    private static final int ROUNDS = 20;

    /** A neighbour that has held this much has more than its high water mark. */
    private static final long HELD_BYTES = 64 * 1024;

    /** How far the budget may exceed its limit between two charges. */
    private static final double OVER = 1.1;

    private static final Pattern RESULT = Pattern.compile("most=(\\d+) limit=(\\d+) neighbour=(\\d+) .*");

    @ParameterizedTest
    @EnumSource
    void shouldRespectTheBudgetAndServeTheOthers(Way way) throws Exception {
        try (Child child = new Child(way, -1)) {
            child.connectNeighbours(NEIGHBOURS);
            child.exchange(1);
            child.connectCrowd(CROWD);
            child.order(Crowd.START);
            child.exchangeUntilClosed(CROWD / 4);
            child.exchange(ROUNDS);
            child.order(Crowd.STOP);
            String result = child.await("most=");
            child.leaveCrowd();
            child.exchange(ROUNDS);
            assertTrue(child.isAlive(), result);
            Matcher figures = RESULT.matcher(result);
            assertTrue(figures.matches(), result);
            assertTrue(Long.parseLong(figures.group(3)) > HELD_BYTES, () -> "the neighbours held little: " + result);
            assertTrue(Long.parseLong(figures.group(1)) <= OVER * Long.parseLong(figures.group(2)), result);
        }
    }
}
