package org.freshet.channel.socket.nio.loop;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A loop's selector: waits for ready keys, can be woken by other threads, and is replaced when it misbehaves.
 *
 * <pre>
 *   loop:   selecting = true --- is there work? --- no: select --- selecting = false
 *                                                   ^
 *   others: add work --- selecting? --- set it to false, wake the selector up
 * </pre>
 *
 * <p>One of the two sees what the other did, so no wake-up is lost. Only the thread that changes the flag wakes the
 * selector.
 *
 * <p>Threading: any thread may call {@link #wakeUp}. The thread that ends the loop calls {@link #close}; everything
 * else is for the loop alone.
 */
public final class LoopSelector {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(LoopSelector.class);
    private static final VarHandle SELECTING;

    /** Multiplied by the number of failures. */
    private static final long PAUSE_MILLIS = 10;

    private static final long MAX_PAUSE_MILLIS = 1000;

    static {
        try {
            // Loads the classes that the JDK needs to close selectors and sockets: later there may be no file
            // descriptor or memory to load them.
            Selector.open().close();
            Objects.requireNonNull(StandardSocketOptions.SO_LINGER);
            SELECTING = MethodHandles.lookup().findVarHandle(LoopSelector.class, "selecting", boolean.class);
        } catch (ReflectiveOperationException | IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SelectorProvider provider;
    private final LoopCounters counters;
    private final Consumer<SelectionKey> keyHandler;
    private final Consumer<SelectionKey> readyKeyAction = this::onReadyKey;

    /** Loop only. */
    private final SpinGuard spinGuard = new SpinGuard();

    /** Loop only. Waits for the given nanoseconds, without a selector. */
    private LongConsumer pause = LockSupport::parkNanos;

    /** True from just before the loop blocks until it is reset, by the loop or by the one thread that wakes it. */
    private volatile boolean selecting;

    /** Replaced by the loop on a rebuild; other threads only wake it. */
    private volatile Selector selector;

    /**
     * @param keyHandler handles a ready key; never throws
     * @param counters the loop's counters
     */
    public LoopSelector(SelectorProvider provider, Consumer<SelectionKey> keyHandler, LoopCounters counters) {
        this.provider = provider;
        this.counters = counters;
        this.keyHandler = keyHandler;
        try {
            selector = provider.openSelector();
        } catch (IOException e) {
            throw new ChannelException("could not open a selector", e);
        }
    }

    /** Makes one system call, and only if the loop is waiting or about to. */
    public void wakeUp() {
        if (selecting && SELECTING.compareAndSet(this, true, false)) {
            selector.wakeup();
        }
    }

    // ---- waiting ----------------------------------------------------------------------------------------------------

    /** From now on a submitter wakes the loop, so the loop must look for work before it waits. */
    public void beginSelect() {
        selecting = true;
    }

    /** Handles the keys that are ready now. */
    public void selectNow() throws IOException {
        selecting = false;
        selector.selectNow(readyKeyAction);
    }

    /**
     * Waits for ready keys and handles them.
     *
     * @param timeoutMillis 0 means no limit
     * @return false if neither a ready key nor a wake-up ended the wait
     */
    public boolean select(long timeoutMillis) throws IOException {
        int ready = selector.select(readyKeyAction, timeoutMillis);
        boolean woken = !selecting;
        selecting = false;
        if (woken && ready == 0) {
            counters.onWakeUp();
        }
        if (ready == 0 && !woken) {
            return false;
        }
        spinGuard.onCause();
        return true;
    }

    private void onReadyKey(SelectionKey key) {
        if (selecting) {
            selecting = false; // the handler's own tasks need no wake-up
        }
        keyHandler.accept(key);
    }

    /** A deadline ended a wait that {@link #select} could not explain. */
    public void onDeadline() {
        spinGuard.onCause();
    }

    /** Called when a wait ended for no reason. Returns whether that has happened too many times in a row. */
    public boolean isSpinning() {
        return spinGuard.isSpinning();
    }

    /** Used when selectors keep failing: waits, longer the more have failed. */
    public void pause(int failures) {
        if (Thread.interrupted()) { // a pending interrupt would end every pause immediately
            logger.debug("an I/O loop was interrupted and continues; only shutdown() ends it");
        }
        pause.accept(TimeUnit.MILLISECONDS.toNanos(Math.min((long) failures * PAUSE_MILLIS, MAX_PAUSE_MILLIS)));
    }

    /** For tests. */
    public void pauseWith(LongConsumer replacement) {
        pause = replacement;
    }

    /** Returns whether the loop is waiting, or has only just been woken. Any thread may call it. */
    public boolean isWaiting() {
        return selecting;
    }

    /** Any thread may call it, as {@link Selector#keys()} allows. */
    public int keyCount() {
        try {
            return selector.keys().size();
        } catch (ClosedSelectorException ended) {
            return 0;
        }
    }

    /** Returns the channel with an id, or null. Any thread may call it. */
    public Channel find(int id) {
        try {
            for (SelectionKey key : selector.keys()) {
                if (key.attachment() instanceof Channel channel && channel.hashCode() == id) {
                    return channel;
                }
            }
        } catch (ClosedSelectorException ended) {
            return null;
        }
        return null;
    }

    // ---- keys -------------------------------------------------------------------------------------------------------

    public SelectionKey register(SelectableChannel socket, int ops, LoopChannel channel) throws IOException {
        return socket.register(selector, ops, channel);
    }

    /** Returns the channels whose keys are valid, as a copy, because closing one changes the keys. */
    public List<LoopChannel> channels() {
        List<LoopChannel> channels = new ArrayList<>();
        for (SelectionKey key : keys()) {
            if (key.isValid() && key.attachment() instanceof LoopChannel channel) {
                channels.add(channel);
            }
        }
        return channels;
    }

    private List<SelectionKey> keys() {
        return selector.isOpen() ? new ArrayList<>(selector.keys()) : List.of();
    }

    // ---- replacement and close --------------------------------------------------------------------------------------

    /**
     * Moves every key to a new selector and returns the old one. The caller must close that.
     *
     * @param closer closes a channel that fails to move; never throws
     * @throws IOException if the new selector could not be opened; the old one stays in use
     */
    public Selector rebuild(Consumer<LoopChannel> closer) throws IOException {
        Selector old = selector;
        List<SelectionKey> keys = keys(); // a close may remove keys
        Selector fresh = provider.openSelector();
        for (SelectionKey key : keys) {
            move(key, fresh, closer);
        }
        selector = fresh;
        return old;
    }

    private static void move(SelectionKey key, Selector fresh, Consumer<LoopChannel> closer) {
        if (!key.isValid() || !(key.attachment() instanceof LoopChannel channel)) {
            return;
        }
        try {
            int ops = key.interestOps();
            SelectionKey moved = key.channel().register(fresh, ops, channel);
            key.cancel();
            channel.onKeyChanged(moved);
        } catch (Throwable t) { // including an OutOfMemoryError
            closer.accept(channel);
        }
    }

    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            logger.warn("failed to close a selector", e);
        }
    }
}
