package org.freshet.testing;

import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Paths for the Unix domain sockets of tests. */
public final class UnixPaths {
    private static final AtomicInteger count = new AtomicInteger();

    private UnixPaths() {}

    /** A short path that no other test has; the server that is bound to it deletes the file. */
    public static UnixDomainSocketAddress free() {
        String name = "freshet-" + ProcessHandle.current().pid() + "-" + count.incrementAndGet() + ".sock";
        return UnixDomainSocketAddress.of(Path.of(System.getProperty("java.io.tmpdir"), name));
    }
}
