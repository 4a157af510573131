package org.freshet.channel.socket.nio.receive;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.channel.FixedReceiveBufferSizePredictor;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.junit.jupiter.api.Test;

/** The receive options of one connection. */
class ReceiveSettingTest {
    private final ReceiveBufferSizePredictor predictor = new FixedReceiveBufferSizePredictor(512);
    private final ReceiveSetting setting = new ReceiveSetting(() -> predictor);

    @Test
    void shouldCloseAConnectionWhosePeerEndsItsOutputUnlessHalfClosureIsAllowed() {
        assertFalse(setting.isAllowHalfClosure());
        setting.allowHalfClosure(true);
        assertTrue(setting.isAllowHalfClosure());
        setting.allowHalfClosure(false);
        assertFalse(setting.isAllowHalfClosure());
    }

    @Test
    void shouldTakeItsPredictorFromTheFactory() {
        assertSame(predictor, setting.predictors().predictor());
    }
}
