package org.freshet.testing;

import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Paths of Unix domain sockets for tests. */
public final class UnixPaths {
    private static final AtomicInteger count = new AtomicInteger();

    private UnixPaths() {}

    /** A short path that no other test uses; the server bound to it deletes the file. */
    public static UnixDomainSocketAddress free() {
        String name = "freshet-" + ProcessHandle.current().pid() + "-" + count.incrementAndGet() + ".sock";
        return UnixDomainSocketAddress.of(Path.of(System.getProperty("java.io.tmpdir"), name));
    }
}
