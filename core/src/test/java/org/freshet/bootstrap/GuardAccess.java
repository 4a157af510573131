package org.freshet.bootstrap;

import java.util.function.LongSupplier;

/** What tests of other packages need of guards. */
public final class GuardAccess {
    private GuardAccess() {}

    public static AcceptGuard.Builder setClock(AcceptGuard.Builder guard, LongSupplier nanoClock) {
        return guard.nanoClock(nanoClock);
    }

    /** How many servers wait for room. */
    public static int waitingServers(AcceptGuard guard) {
        return guard.limits().waitingServers();
    }
}
