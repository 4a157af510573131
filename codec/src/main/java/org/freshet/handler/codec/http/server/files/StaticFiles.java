package org.freshet.handler.codec.http.server.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Configures which files a {@link StaticFileHandler} serves, and how. One instance serves all connections.
 *
 * <pre>{@code
 * StaticFiles files = StaticFiles.under(Path.of("/srv/www"))
 *         .prefix("/static")
 *         .precompressed(true)
 *         .cacheControl("public, max-age=3600")
 *         .build();
 * ...
 * pipeline.addLast("codec", new HttpServerCodec());
 * pipeline.addLast("files", new StaticFileHandler(files));
 * }</pre>
 *
 * <p>Immutable; any thread may use it.
 */
public final class StaticFiles {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(StaticFileHandler.class);

    final FileFinder finder;

    /** Empty, or begins with a slash and doesn't end with one. */
    final String prefix;

    final MimeTypes types;
    final Function<String, String> cacheControl;
    final int maxRanges;
    final int maxBufferedBytes;
    final boolean sendfile;

    /** Null to use the I/O thread. */
    final Executor executor;

    /** The second of {@link System#nanoTime} in which a warning was logged last. */
    private final AtomicLong lastWarning = new AtomicLong(Long.MIN_VALUE);

    private StaticFiles(Builder builder, Path realRoot) {
        finder = new FileFinder(realRoot, builder.indexes, builder.hiddenFiles, builder.precompressed);
        prefix = builder.prefix;
        types = builder.types;
        cacheControl = builder.cacheControl;
        maxRanges = builder.maxRanges;
        maxBufferedBytes = builder.maxBufferedBytes;
        sendfile = builder.sendfile;
        executor = builder.executor;
    }

    /** @param root the directory whose files are served */
    public static Builder under(Path root) {
        return new Builder(root);
    }

    /** Whether requests for this path are answered with files. */
    boolean contain(String rawPath) {
        return rawPath.startsWith(prefix)
                && !rawPath.isEmpty()
                && (rawPath.length() == prefix.length() || rawPath.charAt(prefix.length()) == '/');
    }

    /** Logs at most once per second, so that clients can't fill the log. */
    void warn(String what, Throwable cause) {
        long second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime());
        if (lastWarning.getAndSet(second) != second) {
            logger.warn(what, cause);
        }
    }

    /** Builds the configuration. Not thread-safe. */
    public static final class Builder {
        private final Path root;
        private String prefix = "";
        private List<String> indexes = List.of("index.html");
        private boolean hiddenFiles;
        private boolean precompressed;
        private MimeTypes types = MimeTypes.defaults();
        private Function<String, String> cacheControl = path -> null;
        private int maxRanges = 16;
        private int maxBufferedBytes = 16 * 1024;
        private boolean sendfile = true;
        private Executor executor;

        private Builder(Path root) {
            this.root = Objects.requireNonNull(root, "root");
        }

        /**
         * Sets the start of the paths that are served; the rest of a path names the file below the root. Requests for
         * other paths are passed to the next handler. Compared with paths as they are sent, including escapes. Default:
         * empty, which serves all paths.
         *
         * @param prefix such as {@code /static}; a trailing slash makes no difference
         */
        public Builder prefix(String prefix) {
            String checked = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
            if (!checked.isEmpty() && !checked.startsWith("/")) {
                throw new IllegalArgumentException("a prefix must begin with a slash: " + prefix);
            }
            this.prefix = HeaderSyntax.checkTarget(checked);
            return this;
        }

        /**
         * Sets the names of index files for directories; the first one that exists is served. Default:
         * {@code index.html}.
         */
        public Builder indexes(String... names) {
            for (String name : names) {
                if (name.isEmpty() || name.indexOf('/') >= 0 || name.indexOf('\\') >= 0) {
                    throw new IllegalArgumentException("not a file name: " + name);
                }
            }
            indexes = List.of(names);
            return this;
        }

        /**
         * Sets whether files are served whose name, or a directory in whose path, begins with a dot. Default: false,
         * except for {@code /.well-known/} (RFC 8615) directly below the root.
         */
        public Builder hiddenFiles(boolean served) {
            hiddenFiles = served;
            return this;
        }

        /**
         * Sets whether {@code x.br} or {@code x.gz} is served as {@code x} to clients that accept that coding. A file
         * older than {@code x} is not used. Default: false, since such a name may also mean something else.
         */
        public Builder precompressed(boolean served) {
            precompressed = served;
            return this;
        }

        public Builder mimeTypes(MimeTypes types) {
            this.types = Objects.requireNonNull(types, "types");
            return this;
        }

        /**
         * Sets {@code Cache-Control} for all files. Default: none, so caches use a heuristic based on the file's age.
         */
        public Builder cacheControl(String value) {
            HeaderSyntax.checkValue("Cache-Control", value);
            return cacheControl(path -> value);
        }

        /**
         * Sets {@code Cache-Control} by the path of a request, as it was sent, without prefix and query. If the
         * function returns null, the header is not sent. It must not block: it runs on the I/O thread, or on the
         * {@link #executor}.
         */
        public Builder cacheControl(Function<String, String> byPath) {
            cacheControl = Objects.requireNonNull(byPath, "byPath");
            return this;
        }

        /**
         * Sets how many ranges a request may ask for. A request for more gets the whole file. Default: 16.
         *
         * @param maxRanges 0 or more; 0 disables ranges
         */
        public Builder maxRanges(int maxRanges) {
            this.maxRanges = notNegative("maxRanges", maxRanges);
            return this;
        }

        /**
         * Sets up to which size, in bytes, a file or the requested part of it is read into memory and sent together
         * with the head. Larger files stay open while they are sent, one at a time per connection. Default: 16384.
         */
        public Builder maxBufferedBytes(int maxBufferedBytes) {
            this.maxBufferedBytes = notNegative("maxBufferedBytes", maxBufferedBytes);
            return this;
        }

        /**
         * Sets whether larger files are sent as file regions, which the system copies and HTTP/2 streams read as their
         * windows open, if nothing but the transport needs their bytes. Default: true. Disable this if a handler before
         * the codec looks at or changes bytes.
         */
        public Builder sendfile(boolean used) {
            sendfile = used;
            return this;
        }

        /**
         * Sets where files are looked up, opened and, if small, read. Default: null, which uses the I/O thread; that is
         * right for a local disk with cached directories. The content of larger files is always read on the I/O thread,
         * a piece at a time.
         */
        public Builder executor(Executor executor) {
            this.executor = executor;
            return this;
        }

        private static int notNegative(String name, int value) {
            if (value < 0) {
                throw new IllegalArgumentException(name + " < 0: " + value);
            }
            return value;
        }

        /**
         * Looks up the root. Its real path is determined now: redirecting a link later has no effect.
         *
         * @throws IllegalArgumentException if the root is not a directory
         * @throws UncheckedIOException if it cannot be looked up
         */
        public StaticFiles build() {
            if (!Files.isDirectory(root)) {
                throw new IllegalArgumentException("the root is not a directory: " + root);
            }
            try {
                return new StaticFiles(this, root.toRealPath());
            } catch (IOException e) {
                throw new UncheckedIOException("cannot look up the root " + root, e);
            }
        }
    }
}
