package org.freshet.microbench.compare.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.tap.WireTap;

/** What a server's connections say, in a temporary file that has room for a whole comparison. Any thread. */
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

    /** Says so if the figures are those of a tap that did not record all. */
    @Override
    public void close() {
        boolean wasOpen = tap.isOpen();
        tap.close();
        if (!wasOpen || tap.lostBytes() > 0) {
            System.err.println("the tap " + (wasOpen ? "lost " + tap.lostBytes() + " bytes" : "had ended"));
        }
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
