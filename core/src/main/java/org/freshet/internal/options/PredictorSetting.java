package org.freshet.internal.options;

import java.util.Objects;
import java.util.function.BiFunction;

/**
 * What a channel's user, if anyone, chose to predict its reads: a predictor, a factory of one, or nothing. A predictor wins over
 * a factory whichever was set first, so that a map of options may hold both in any order.
 *
 * <p>Configs make one only when somebody asks, since few channels need it. Any thread may call.
 *
 * @param <P> predictors
 * @param <F> factories of them
 */
public final class PredictorSetting<P, F> {
    /** How a factory is asked. */
    @FunctionalInterface
    public interface Maker<F, P> {
        P make(F factory) throws Exception;
    }

    private final Maker<F, P> maker;
    private final BiFunction<String, Throwable, RuntimeException> failure;
    private final F defaultFactory;
    /** Null until the user sets it. */
    private volatile P chosen;
    /** Null until the user sets it. */
    private volatile F chosenFactory;
    /** What the factory made; null until it is asked, and after the factory was changed. */
    private volatile P made;

    /**
     * @param failure makes what is thrown when a factory fails
     */
    public PredictorSetting(
            F defaultFactory, Maker<F, P> maker, BiFunction<String, Throwable, RuntimeException> failure) {
        this.failure = failure;
        this.maker = maker;
        this.defaultFactory = defaultFactory;
    }

    public void setPredictor(P predictor) {
        chosen = Objects.requireNonNull(predictor, "predictor");
    }

    public void setFactory(F factory) {
        chosenFactory = Objects.requireNonNull(factory, "predictorFactory");
        made = null;
    }

    public F factory() {
        F factory = chosenFactory;
        return factory != null ? factory : defaultFactory;
    }

    /** The predictor to use; always the same one until the user sets another. */
    public P predictor() {
        P predictor = chosen;
        return predictor != null ? predictor : madeByFactory();
    }

    /** The predictor to use when the user set it or its factory, else null. */
    public P explicitPredictor() {
        return chosen == null && chosenFactory == null ? null : predictor();
    }

    private P madeByFactory() {
        P predictor = made;
        if (predictor == null) {
            predictor = ask(factory());
            made = predictor;
        }
        return predictor;
    }

    private P ask(F factory) {
        try {
            return Objects.requireNonNull(maker.make(factory), () -> factory + " made no predictor");
        } catch (Exception e) {
            throw failure.apply("cannot make a predictor by " + factory, e);
        }
    }
}
