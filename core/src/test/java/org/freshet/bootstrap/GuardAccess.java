package org.freshet.bootstrap;

import java.util.function.LongSupplier;

/** Gives tests in other packages access to guards. */
public final class GuardAccess {
    private GuardAccess() {}

    public static AcceptGuard.Builder setClock(AcceptGuard.Builder guard, LongSupplier nanoClock) {
        return guard.nanoClock(nanoClock);
    }

    /** Returns how many servers are waiting for room. */
    public static int waitingServers(AcceptGuard guard) {
        return guard.limits().waitingServers();
    }
}
