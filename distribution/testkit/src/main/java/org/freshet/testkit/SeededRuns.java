package org.freshet.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Calls the method of a {@link SimulationTest} once per seed, instead of JUnit's one call. Stateless. */
final class SeededRuns implements InvocationInterceptor, ParameterResolver {
    private static final String SEED = "freshet.seed";
    private static final String SEEDS = "freshet.seeds";
    private static final String LINES = "freshet.lines";

    private static final String PRINT = "freshet.print";

    private static final int DEFAULT_LINES = 60;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == SimulatedNetwork.class;
    }

    /** Each run gets its own network; JUnit's call is skipped. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return null;
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> call, ExtensionContext context)
            throws Throwable {
        invocation.skip();
        Method method = call.getExecutable();
        requireOneNetwork(method);
        method.setAccessible(true);
        Object target = call.getTarget().orElse(null);
        SimulationTest settings = AnnotationSupport.findAnnotation(method, SimulationTest.class)
                .orElseThrow(() -> new IllegalStateException("not a @SimulationTest: " + method));
        Long only = Long.getLong(SEED);
        int seeds = only == null ? Integer.getInteger(SEEDS, settings.seeds()) : 1;
        if (seeds < 1) {
            throw new IllegalArgumentException("seeds < 1: " + seeds);
        }
        SeedSearch search = new SeedSearch(network -> call(method, target, network), settings.shrinkRuns());
        SeedSearch.Found found = search.search(only == null ? settings.firstSeed() : only, seeds);
        if (Boolean.getBoolean(PRINT)) {
            System.out.println(method.getName() + ", " + seeds + " seeds: hash " + Long.toHexString(search.hash()));
        }
        if (found != null) {
            throw found.report("-D" + SEED + "=", Integer.getInteger(LINES, DEFAULT_LINES));
        }
    }

    private static void requireOneNetwork(Method method) {
        if (method.getParameterCount() != 1 || method.getParameterTypes()[0] != SimulatedNetwork.class) {
            throw new IllegalStateException("a @SimulationTest takes one parameter, a SimulatedNetwork: " + method);
        }
    }

    private static void call(Method method, Object target, SimulatedNetwork network) throws Throwable {
        try {
            method.invoke(target, network);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
