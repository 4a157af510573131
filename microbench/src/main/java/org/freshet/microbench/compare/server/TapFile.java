package org.freshet.microbench.compare.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.tap.WireTap;

/** A recording of a server's connections, in a temporary file with room for a whole comparison. Any thread. */
final class TapFile implements AutoCloseable {
    private static final long MAX_BYTES = 16L << 30;

    private final Path file;
    private final WireTap tap;

    private TapFile(Path file, WireTap tap) {
        this.file = file;
        this.tap = tap;
    }

    static TapFile open() {
        try {
            Path file = Files.createTempFile("tapped", ".pcapng");
            return new TapFile(file, WireTap.to(file).maxFileBytes(MAX_BYTES).open());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ChannelHandler newHandler() {
        return tap.newHandler();
    }

    /** Prints a warning if the tap did not record everything, because that affects the figures. */
    @Override
    public void close() {
        boolean wasOpen = tap.isOpen();
        tap.close();
        if (!wasOpen || tap.lostBytes() > 0) {
            System.err.println("the tap " + (wasOpen ? "lost " + tap.lostBytes() + " bytes" : "had stopped"));
        }
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
