package org.freshet.microbench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.Map;
import org.freshet.microbench.compare.report.Metric;
import org.junit.jupiter.api.Test;

class SharesTest {
    @Test
    void shouldWarnAboutAClientWithoutSpareTime() {
        assertNotEquals("", remark(0.97, 0.8));
    }

    @Test
    void shouldNotWarnAboutAClientThatWaitedForTheServer() {
        assertEquals("", remark(0.7, 0.99));
        assertEquals("", remark(0.95, 1.02));
        assertEquals("", remark(0.7, 0.3));
    }

    @Test
    void shouldNotWarnIfSharesWereNotMeasured() {
        assertEquals("", Shares.remark(metric -> Double.NaN));
    }

    private static String remark(double client, double server) {
        Map<Metric, Double> medians = Map.of(Shares.CLIENT, client, Shares.SERVER, server);
        return Shares.remark(medians::get);
    }
}
