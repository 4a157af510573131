package org.freshet.testkit.matrix;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.channel.MemoryBudget;

/**
 * Access to the internals of the process-wide {@link MemoryBudget}, so that a run can trigger its check when its seed
 * says so, and leave nothing.
 */
final class BudgetAccess {
    private static final AtomicBoolean IS_LOOKING = (AtomicBoolean) value("IS_CLOSING");
    private static final AtomicLong STEPS = (AtomicLong) value("STEPS");
    private static final Method LOOK = look();

    private BudgetAccess() {}

    private static Object value(String name) {
        try {
            Field field = MemoryBudget.class.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Method look() {
        try {
            Method method = MemoryBudget.class.getDeclaredMethod("closeGreatest");
            method.setAccessible(true);
            return method;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether the budget runs its checks on its own thread. */
    static void setLooking(boolean isOn) {
        IS_LOOKING.set(!isOn);
    }

    static void lookNow() {
        try {
            LOOK.invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** For use after a failed run that left channels with backlogs. */
    static void forget() {
        STEPS.set(0);
    }
}
