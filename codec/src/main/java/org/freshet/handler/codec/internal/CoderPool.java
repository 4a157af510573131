package org.freshet.handler.codec.internal;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.freshet.internal.time.Alarm;

/**
 * A pool of the JDK's deflaters and inflaters. They hold native memory: 260 KiB and up to 40 KiB. Take one for a
 * message or a stream, then give it back. So the pool has as many as are in use at the same time. If each is held for
 * one message only, that's as many as there are threads, however many connections there are.
 *
 * <p>A returned coder is reused, preferably by the same thread, because its memory is in that processor's cache. A
 * coder that is idle for {@value #IDLE_SECONDS} seconds is ended. The pool never refuses: if it has no idle coder, it
 * makes another.
 *
 * <p>Any thread may call; no lock is taken. A coder belongs to its taker. Give it back once, and don't touch it
 * afterwards.
 */
public final class CoderPool {
    static final int IDLE_SECONDS = 30;

    private static final AtomicInteger LIVE = new AtomicInteger();

    /** One per level, starting at -1. A level set later would only take effect in the middle of a stream. */
    private static final List<IdleCoders<Deflater>> DEFLATERS = IntStream.rangeClosed(-1, 9)
            .mapToObj(level -> new IdleCoders<Deflater>(CoderPool::end))
            .toList();

    private static final IdleCoders<Inflater> RAW_INFLATERS = new IdleCoders<>(CoderPool::end);
    private static final IdleCoders<Inflater> ZLIB_INFLATERS = new IdleCoders<>(CoderPool::end);

    private static final Expiry EXPIRY = new Expiry();

    private CoderPool() {}

    /**
     * Takes a deflater without a wrapper.
     *
     * @param level 0 to 9, or -1 for zlib's default
     */
    public static Deflater takeDeflater(int level) {
        Deflater deflater = DEFLATERS.get(level + 1).take();
        if (deflater == null) {
            deflater = new Deflater(level, true);
            LIVE.incrementAndGet();
        }
        return deflater;
    }

    /** @param raw true for data without a wrapper, false for zlib's */
    public static Inflater takeInflater(boolean raw) {
        Inflater inflater = inflaters(raw).take();
        if (inflater == null) {
            inflater = new Inflater(raw);
            LIVE.incrementAndGet();
        }
        return inflater;
    }

    /**
     * Returns a deflater taken with {@link #takeDeflater} for the same level, in any state. Its parameters must not
     * have been changed.
     */
    public static void give(Deflater deflater, int level) {
        deflater.reset();
        DEFLATERS.get(level + 1).give(deflater);
        EXPIRY.request();
    }

    /** Returns an inflater taken with {@link #takeInflater} for the same {@code raw}, in any state. */
    public static void give(Inflater inflater, boolean raw) {
        inflater.reset();
        inflaters(raw).give(inflater);
        EXPIRY.request();
    }

    private static IdleCoders<Inflater> inflaters(boolean raw) {
        return raw ? RAW_INFLATERS : ZLIB_INFLATERS;
    }

    /** Returns how many coders hold native memory, taken or idle. */
    public static int live() {
        return LIVE.get();
    }

    /** Returns how many coders are taken. */
    public static int taken() {
        return live() - pools().mapToInt(IdleCoders::count).sum();
    }

    /** Ends the coders not used since the last call; returns whether any are left. */
    static boolean expire() {
        return pools().filter(IdleCoders::expire).count() > 0;
    }

    private static Stream<IdleCoders<?>> pools() {
        return Stream.concat(DEFLATERS.stream(), Stream.of(RAW_INFLATERS, ZLIB_INFLATERS));
    }

    private static void end(Deflater deflater) {
        deflater.end();
        LIVE.decrementAndGet();
    }

    private static void end(Inflater inflater) {
        inflater.end();
        LIVE.decrementAndGet();
    }

    /** Calls {@link #expire} at intervals, on a spare thread, as long as there are idle coders. */
    private static final class Expiry {
        private final Alarm alarm = new Alarm(null, Runnable::run, this::run);

        void request() {
            if (!alarm.isSet()) {
                alarm.set(TimeUnit.SECONDS.toNanos(IDLE_SECONDS));
            }
        }

        private void run() {
            if (expire()) {
                request();
            }
        }
    }

    /** Idle coders: as many as there are processors, or a few more. */
    private static final class IdleCoders<C> {
        private static final int SIZE =
                Math.max(2, Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 2 - 1));

        private final AtomicSlots<C> slots = new AtomicSlots<>(SIZE);
        private final Consumer<C> end;

        IdleCoders(Consumer<C> end) {
            this.end = end;
        }

        C take() {
            int first = ownSlot();
            for (int i = 0; i < SIZE; i++) {
                C coder = slots.take(first + i & SIZE - 1);
                if (coder != null) {
                    return coder;
                }
            }
            return null;
        }

        void give(C coder) {
            int first = ownSlot();
            for (int i = 0; i < SIZE; i++) {
                if (slots.put(first + i & SIZE - 1, coder)) {
                    return;
                }
            }
            end.accept(coder);
        }

        private static int ownSlot() {
            return (int) Thread.currentThread().getId() & SIZE - 1;
        }

        int count() {
            int count = 0;
            for (int i = 0; i < SIZE; i++) {
                count += slots.isEmpty(i) ? 0 : 1;
            }
            return count;
        }

        boolean expire() {
            boolean left = false;
            for (int i = 0; i < SIZE; i++) {
                C unused = slots.takeUnused(i);
                if (unused != null) {
                    end.accept(unused);
                }
                left |= !slots.isEmpty(i);
            }
            return left;
        }
    }
}
