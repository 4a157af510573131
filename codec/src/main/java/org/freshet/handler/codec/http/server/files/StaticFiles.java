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
 * Which files a {@link StaticFileHandler} serves, and how. One instance serves all connections.
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
 * <p>Immutable; any thread.
 */
public final class StaticFiles {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(StaticFileHandler.class);

    final FileFinder finder;

    /** Empty, or begins with a slash and does not end with one. */
    final String prefix;

    final MimeTypes types;
    final Function<String, String> cacheControl;
    final int maxRanges;
    final int maxBufferedBytes;
    final boolean sendfile;

    /** Null for the I/O thread. */
    final Executor executor;

    /** The second of {@link System#nanoTime} in which something was logged last. */
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

    /** Whether files answer requests for this path. */
    boolean contain(String rawPath) {
        return rawPath.startsWith(prefix)
                && !rawPath.isEmpty()
                && (rawPath.length() == prefix.length() || rawPath.charAt(prefix.length()) == '/');
    }

    /** Logs once a second at the most: clients must not be able to fill the log. */
    void warn(String what, Throwable cause) {
        long second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime());
        if (lastWarning.getAndSet(second) != second) {
            logger.warn(what, cause);
        }
    }

    /** Not thread-safe. */
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
         * What the paths of requests begin with; the rest names the file below the root. Requests for other paths go on to
         * the next handler. Compared as requests are sent, escapes included. Default: empty, that is all paths.
         *
         * @param prefix such as {@code /static}; a slash at its end makes no difference
         */
        public Builder prefix(String prefix) {
            String checked = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
            if (!checked.isEmpty() && !checked.startsWith("/")) {
                throw new IllegalArgumentException("a prefix begins with a slash: " + prefix);
            }
            this.prefix = HeaderSyntax.checkTarget(checked);
            return this;
        }

        /** The files that stand for their directory; the first one that is there is served. Default: {@code index.html}. */
        public Builder indexes(String... names) {
            for (String name : names) {
                if (name.isEmpty() || name.indexOf('/') >= 0 || name.indexOf('\\') >= 0) {
                    throw new IllegalArgumentException("not a file's name: " + name);
                }
            }
            indexes = List.of(names);
            return this;
        }

        /**
         * Whether files are served whose name, or whose directory's, begins with a dot. Default: no, but for {@code
         * /.well-known/} (RFC 8615) directly below the root.
         */
        public Builder hiddenFiles(boolean served) {
            hiddenFiles = served;
            return this;
        }

        /**
         * Whether {@code x.br} or {@code x.gz} is served as {@code x} to clients that accept that coding. A file that is older
         * than {@code x} is not. Default: no, since such a name may also mean something else.
         */
        public Builder precompressed(boolean served) {
            precompressed = served;
            return this;
        }

        public Builder mimeTypes(MimeTypes types) {
            this.types = Objects.requireNonNull(types, "types");
            return this;
        }

        /** The {@code Cache-Control} of each file. Default: none, so that caches guess by its age. */
        public Builder cacheControl(String value) {
            HeaderSyntax.checkValue("Cache-Control", value);
            return cacheControl(path -> value);
        }

        /**
         * The {@code Cache-Control} of a file by the path of its request, without prefix and query, as it was sent. Null for
         * none. Must not block; runs on the I/O thread, or on the {@link #executor}.
         */
        public Builder cacheControl(Function<String, String> byPath) {
            cacheControl = Objects.requireNonNull(byPath, "byPath");
            return this;
        }

        /**
         * How many ranges a request may ask for; one that asks for more gets the whole file. Default: 16.
         *
         * @param maxRanges 0 or more; 0 does without ranges
         */
        public Builder maxRanges(int maxRanges) {
            this.maxRanges = notNegative("maxRanges", maxRanges);
            return this;
        }

        /**
         * Up to which size a file, or what is asked of it, is read into memory and sent with the head, in bytes. Larger ones
         * stay open while they are sent, one at a time for each connection. Default: 16384.
         */
        public Builder maxBufferedBytes(int maxBufferedBytes) {
            this.maxBufferedBytes = notNegative("maxBufferedBytes", maxBufferedBytes);
            return this;
        }

        /**
         * Whether larger files are sent as file regions, which the system copies, where nothing but the transport is to see
         * their bytes. Default: yes. Turn it off where a handler before the codec looks at or changes bytes.
         */
        public Builder sendfile(boolean used) {
            sendfile = used;
            return this;
        }

        /**
         * Where files are looked up, opened and, if small, read. Default: null, the I/O thread, which is right for a local
         * disk whose directories are in memory. The content of larger files is read by the I/O thread in either case, a
         * piece at a time.
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
         * Looks up the root. Its real path is taken now: a link that is set to another directory later has no effect.
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
