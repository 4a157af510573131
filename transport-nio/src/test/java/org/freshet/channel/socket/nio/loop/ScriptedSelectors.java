package org.freshet.channel.socket.nio.loop;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Opens selectors whose waits end with what a test says, and take no time. Its sockets are the JDK's, and their keys are
 * ready when a test says so. For one thread.
 */
final class ScriptedSelectors extends JdkSockets {
    private final List<ScriptedSelector> opened = new ArrayList<>();
    private IOException openFailure;

    /** Makes the next selector fail to open. */
    void failNextOpen(IOException failure) {
        openFailure = failure;
    }

    /** The selectors opened so far. */
    List<ScriptedSelector> opened() {
        return opened;
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        IOException failure = openFailure;
        openFailure = null;
        if (failure != null) {
            throw failure;
        }
        ScriptedSelector selector = new ScriptedSelector();
        opened.add(selector);
        return selector;
    }

    /** Belongs to no kernel. */
    final class ScriptedSelector extends AbstractSelector {
        private final Set<SelectionKey> keys = new HashSet<>();
        private final Set<SelectionKey> ready = new HashSet<>();
        private final Set<SelectionKey> selected = new HashSet<>();
        private final List<Long> waits = new ArrayList<>();
        private Runnable duringNextWait = () -> {};
        private int wakeUps;

        private ScriptedSelector() {
            super(ScriptedSelectors.this);
        }

        /** Makes a key ready for the next wait. */
        void makeReady(SelectionKey key) {
            ready.add(key);
        }

        void duringNextWait(Runnable action) {
            duringNextWait = action;
        }

        /** The time-outs of the waits, in milliseconds; -1 for {@link #selectNow}. */
        List<Long> waits() {
            return waits;
        }

        int wakeUps() {
            return wakeUps;
        }

        @Override
        protected SelectionKey register(AbstractSelectableChannel socket, int ops, Object attachment) {
            SelectionKey key = new ScriptedKey(this, socket, ops);
            key.attach(attachment);
            keys.add(key);
            return key;
        }

        @Override
        public int select(long timeoutMillis) {
            waits.add(timeoutMillis);
            Runnable action = duringNextWait;
            duringNextWait = () -> {};
            action.run();
            selected.addAll(ready);
            ready.clear();
            return selected.size();
        }

        @Override
        public int selectNow() {
            return select(-1);
        }

        @Override
        public int select() {
            return select(0);
        }

        @Override
        public Selector wakeup() {
            wakeUps++;
            return this;
        }

        @Override
        public Set<SelectionKey> keys() {
            if (!isOpen()) {
                throw new ClosedSelectorException();
            }
            return keys;
        }

        @Override
        public Set<SelectionKey> selectedKeys() {
            return selected;
        }

        @Override
        protected void implCloseSelector() {}
    }

    private static final class ScriptedKey extends AbstractSelectionKey {
        private final Selector selector;
        private final AbstractSelectableChannel socket;
        private int ops;

        ScriptedKey(Selector selector, AbstractSelectableChannel socket, int ops) {
            this.selector = selector;
            this.socket = socket;
            this.ops = ops;
        }

        @Override
        public AbstractSelectableChannel channel() {
            return socket;
        }

        @Override
        public Selector selector() {
            return selector;
        }

        @Override
        public int interestOps() {
            return ops;
        }

        @Override
        public SelectionKey interestOps(int wanted) {
            ops = wanted;
            return this;
        }

        @Override
        public int readyOps() {
            return ops;
        }
    }
}
