package org.freshet.internal.options;

import java.util.Objects;
import java.util.function.BiFunction;

/**
 * The user's choice of a predictor for a channel's reads: a predictor, a factory, or nothing. A predictor takes precedence over a factory
 * whichever was set first, so a map of options can contain both in any order.
 *
 * <p>Configs create this object on demand, because few channels need it. Any thread may call any method.
 *
 * @param <P> the type of predictors
 * @param <F> the type of predictor factories
 */
public final class PredictorSetting<P, F> {
    /** Calls a factory. */
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
    /** The predictor created by the factory; null until it is needed, and after the factory was changed. */
    private volatile P made;

    /**
     * @param failure creates the exception to throw if a factory fails
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

    /** Returns the predictor to use; always the same one until the user sets another. */
    public P predictor() {
        P predictor = chosen;
        return predictor != null ? predictor : madeByFactory();
    }

    /** Returns the predictor to use if the user set it or its factory, otherwise null. */
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
            return Objects.requireNonNull(maker.make(factory), () -> factory + " returned no predictor");
        } catch (Exception e) {
            throw failure.apply("the predictor factory failed: " + factory, e);
        }
    }
}
