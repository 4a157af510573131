package org.freshet.testkit.simulation;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A selector that passes the {@link Baton} on when it waits, and reports ready keys in an order determined by the seed.
 * For the thread that holds the baton, except that keys may also be registered before the start.
 *
 * <p>It detects a spinning loop: one that gets ready keys again and again, and does nothing to change that.
 */
final class SimulatedSelector extends AbstractSelector {
    private static final int MAX_IDLE_TURNS = 200;

    private final Kernel kernel;
    private final Set<SelectionKey> keys = new LinkedHashSet<>();
    private final Set<SelectionKey> keyView = Collections.unmodifiableSet(keys);
    private boolean isWoken;

    /** The loop's thread; null before the first select. */
    private Thread owner;

    /** Number of selects in a row after which the loop did nothing. */
    private int idleTurns;

    SimulatedSelector(SimulatedProvider provider) {
        super(provider);
        kernel = provider.kernel();
        kernel.onSelector(this);
    }

    Baton baton() {
        return kernel.baton();
    }

    /** Called when the loop has done something that may change which keys are ready. */
    void onProgress() {
        idleTurns = 0;
    }

    boolean isOfThisThread() {
        return owner == Thread.currentThread();
    }

    // ---- selecting --------------------------------------------------------------------------------------------------

    @Override
    public int select(Consumer<SelectionKey> action, long timeoutMillis) throws IOException {
        return select(action, timeoutMillis, true);
    }

    @Override
    public int select(Consumer<SelectionKey> action) throws IOException {
        return select(action, 0, true);
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return select(action, 0, false);
    }

    @Override
    public int selectNow() throws IOException {
        return select(key -> {}, 0, false);
    }

    @Override
    public int select(long timeoutMillis) {
        throw new UnsupportedOperationException("the transport selects with an action");
    }

    @Override
    public int select() {
        return select(0);
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        throw new UnsupportedOperationException("the transport selects with an action");
    }

    private int select(Consumer<SelectionKey> action, long timeoutMillis, boolean mayWait) throws IOException {
        requireOpen();
        owner = Thread.currentThread();
        baton().pass();
        if (kernel.fault("failed select", kernel.faults().failedSelect())) {
            throw new IOException("Bad file descriptor");
        }
        removeCancelled();
        if (mayWait
                && !isWoken
                && !isAnyReady()
                && !kernel.fault("spurious wake-up", kernel.faults().spuriousWakeUp())) {
            idleTurns = 0;
            baton().await(this::isWaitOver, TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
            requireOpen();
        }
        removeCancelled();
        if (isWoken) {
            idleTurns = 0;
        }
        isWoken = false;
        List<SimulatedKey> ready = ready();
        if (++idleTurns > MAX_IDLE_TURNS) {
            idleTurns = 0;
            baton().fail(new AssertionError("a loop spins without handling its ready keys: " + ready.size()));
        }
        baton().note(mayWait ? "select" : "selectNow", ready.size(), timeoutMillis);
        for (SimulatedKey key : ready) {
            if (key.isValid()) {
                action.accept(key);
            }
            requireOpen();
        }
        return ready.size();
    }

    private void requireOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    private boolean isWaitOver() {
        return isWoken || !isOpen() || isAnyReady() || baton().hasFailed();
    }

    private boolean isAnyReady() {
        for (SelectionKey key : keys) {
            if (key.isValid() && ((SimulatedKey) key).readiness() != 0) {
                return true;
            }
        }
        return false;
    }

    private List<SimulatedKey> ready() {
        List<SimulatedKey> ready = new ArrayList<>();
        for (SelectionKey each : keys) {
            SimulatedKey key = (SimulatedKey) each;
            if (!key.isValid()) {
                continue;
            }
            int ops = key.readiness();
            if (ops != 0 && kernel.fault("late key", kernel.faults().lateKey())) {
                idleTurns = 0;
                ops = 0;
            } else if (ops == 0
                    && key.isForReading()
                    && kernel.fault("spurious readiness", kernel.faults().zeroRead())) {
                ops = SelectionKey.OP_READ;
            }
            if (ops != 0) {
                key.setReady(ops);
                ready.add(kernel.draw().below(ready.size() + 1), key);
            }
        }
        return ready;
    }

    @Override
    public Selector wakeup() {
        baton().note("wakeup", 0, 0);
        isWoken = true;
        baton().pass();
        return this;
    }

    // ---- keys -------------------------------------------------------------------------------------------------------

    @Override
    protected SelectionKey register(AbstractSelectableChannel socket, int ops, Object attachment) {
        SimulatedKey key = new SimulatedKey(this, socket);
        key.attach(attachment);
        key.register(ops);
        keys.add(key);
        kernel.onKeys(1);
        onProgress();
        baton().note("register", key.id(), ops);
        return key;
    }

    @Override
    public Set<SelectionKey> keys() {
        requireOpen();
        return keyView;
    }

    private void removeCancelled() {
        Set<SelectionKey> cancelled = cancelledKeys();
        if (!cancelled.isEmpty()) {
            List<SelectionKey> removed = new ArrayList<>(keys);
            removed.retainAll(cancelled); // keeps the order of registration
            cancelled.clear();
            removed.forEach(key -> remove((SimulatedKey) key));
        }
    }

    private void remove(SimulatedKey key) {
        if (!keys.remove(key)) {
            return;
        }
        kernel.onKeys(-1);
        deregister(key);
        onProgress();
        baton().note("deregister", key.id(), 0);
        if (!key.channel().isRegistered()) {
            key.onDeregistered();
        }
    }

    @Override
    protected void implCloseSelector() {
        for (SelectionKey key : new ArrayList<>(keys)) {
            key.cancel();
            remove((SimulatedKey) key);
        }
        cancelledKeys().clear();
    }
}
