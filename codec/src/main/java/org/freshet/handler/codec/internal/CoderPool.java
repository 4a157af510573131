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
 * The JDK's deflaters and inflaters, which hold native memory: 260 KiB and up to 40 KiB. Whoever needs one takes it for a
 * message or a stream and gives it back. So there are as many as are in use at once: with those that are held for one
 * message, as many as threads, however many connections there are.
 *
 * <p>A coder that was given back is used again, best by the same thread, which finds its memory in the processor's cache. One
 * that nobody takes for {@value #IDLE_SECONDS} seconds is ended. The pool never refuses: beyond what it has it makes another.
 *
 * <p>Any thread may call; no lock is taken. A coder belongs to its taker until it is given back, once, and must not be
 * touched afterwards.
 */
public final class CoderPool {
    static final int IDLE_SECONDS = 30;

    private static final AtomicInteger LIVE = new AtomicInteger();

    /** By level, from -1: a level that is set later takes effect in the midst of a stream only. */
    private static final List<IdleCoders<Deflater>> DEFLATERS = IntStream.rangeClosed(-1, 9)
            .mapToObj(level -> new IdleCoders<Deflater>(CoderPool::end))
            .toList();

    private static final IdleCoders<Inflater> RAW_INFLATERS = new IdleCoders<>(CoderPool::end);
    private static final IdleCoders<Inflater> ZLIB_INFLATERS = new IdleCoders<>(CoderPool::end);

    private static final Expiry EXPIRY = new Expiry();

    private CoderPool() {}

    /**
     * Takes a deflater without wrapper.
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

    /** @param raw whether the data has no wrapper; else it has zlib's */
    public static Inflater takeInflater(boolean raw) {
        Inflater inflater = inflaters(raw).take();
        if (inflater == null) {
            inflater = new Inflater(raw);
            LIVE.incrementAndGet();
        }
        return inflater;
    }

    /** Gives back what {@link #takeDeflater} returned for the same level, in whatever state; its parameters must not be changed. */
    public static void give(Deflater deflater, int level) {
        deflater.reset();
        DEFLATERS.get(level + 1).give(deflater);
        EXPIRY.request();
    }

    /** Gives back what {@link #takeInflater} returned for the same {@code raw}, in whatever state. */
    public static void give(Inflater inflater, boolean raw) {
        inflater.reset();
        inflaters(raw).give(inflater);
        EXPIRY.request();
    }

    private static IdleCoders<Inflater> inflaters(boolean raw) {
        return raw ? RAW_INFLATERS : ZLIB_INFLATERS;
    }

    /** How many coders hold native memory, taken or not. */
    public static int live() {
        return LIVE.get();
    }

    /** How many coders are taken. */
    public static int taken() {
        return live() - pools().mapToInt(IdleCoders::count).sum();
    }

    /** Ends the coders that were not used since the last call; returns whether any are left. */
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

    /** Calls {@link #expire} from time to time, on a spare thread, while there is anything to end. */
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

    /** Coders that nobody uses; as many as there are processors, or a few more. */
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
