package org.freshet.internal;

import java.util.Objects;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.ReceiveBufferSizePredictorFactory;

/**
 * What a channel's user, if anyone, chose to predict its reads: a predictor, a factory of one, or nothing. A predictor wins over
 * a factory whichever was set first, so that a map of options may hold both in any order.
 *
 * <p>Configs make one only when somebody asks, since few channels need it. Any thread may call.
 */
public final class PredictorSetting {
    private final ReceiveBufferSizePredictorFactory defaultFactory;
    /** Null until the user sets it. */
    private volatile ReceiveBufferSizePredictor chosen;
    /** Null until the user sets it. */
    private volatile ReceiveBufferSizePredictorFactory chosenFactory;
    /** What the factory made; null until it is asked, and after the factory was changed. */
    private volatile ReceiveBufferSizePredictor made;

    public PredictorSetting(ReceiveBufferSizePredictorFactory defaultFactory) {
        this.defaultFactory = defaultFactory;
    }

    public void setPredictor(ReceiveBufferSizePredictor predictor) {
        chosen = Objects.requireNonNull(predictor, "predictor");
    }

    public void setFactory(ReceiveBufferSizePredictorFactory factory) {
        chosenFactory = Objects.requireNonNull(factory, "predictorFactory");
        made = null;
    }

    public ReceiveBufferSizePredictorFactory factory() {
        ReceiveBufferSizePredictorFactory factory = chosenFactory;
        return factory != null ? factory : defaultFactory;
    }

    /** The predictor to use; always the same one until the user sets another. */
    public ReceiveBufferSizePredictor predictor() {
        ReceiveBufferSizePredictor predictor = chosen;
        return predictor != null ? predictor : madeByFactory();
    }

    /** The predictor to use when the user set it or its factory, else null. */
    public ReceiveBufferSizePredictor explicitPredictor() {
        return chosen == null && chosenFactory == null ? null : predictor();
    }

    private ReceiveBufferSizePredictor madeByFactory() {
        ReceiveBufferSizePredictor predictor = made;
        if (predictor == null) {
            predictor = ask(factory());
            made = predictor;
        }
        return predictor;
    }

    private static ReceiveBufferSizePredictor ask(ReceiveBufferSizePredictorFactory factory) {
        try {
            return Objects.requireNonNull(factory.getPredictor(), () -> factory + " made no predictor");
        } catch (Exception e) {
            throw new ChannelException("cannot make a predictor by " + factory, e);
        }
    }
}
