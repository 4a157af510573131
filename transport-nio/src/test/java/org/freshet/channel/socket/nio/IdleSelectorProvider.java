package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.freshet.channel.socket.nio.loop.JdkSockets;

/**
 * Opens selectors on which nothing is ever ready. A wait calls back to the test instead of taking time. Its sockets are
 * the JDK's and cannot be registered.
 */
final class IdleSelectorProvider extends JdkSockets {
    private final LongUnaryOperator onWait;
    private final List<Selector> opened = new ArrayList<>();
    private boolean isCloseBroken;
    private boolean isWaitFailing;
    private boolean isMemoryExhausted;

    /**
     * @param onWait called instead of a wait, with its milliseconds, 0 for no limit; returns the number of keys to
     * report as ready
     */
    IdleSelectorProvider(LongUnaryOperator onWait) {
        this.onWait = onWait;
    }

    /** Makes selectors throw on close, like the JDK's after memory has run out. */
    void breakClose(boolean isBroken) {
        isCloseBroken = isBroken;
    }

    /** Makes each wait fail, on any selector, while the selectors stay open. */
    void failWaits(boolean isFailing) {
        isWaitFailing = isFailing;
    }

    /** Makes selectors fail to register a socket. */
    void exhaustMemory() {
        isMemoryExhausted = true;
    }

    /** The number of selectors opened so far. */
    int opened() {
        return opened.size();
    }

    @Override
    public AbstractSelector openSelector() {
        AbstractSelector selector = new IdleSelector();
        opened.add(selector);
        return selector;
    }

    private final class IdleSelector extends AbstractSelector {
        private final Set<SelectionKey> none = new HashSet<>();

        private IdleSelector() {
            super(IdleSelectorProvider.this);
        }

        @Override
        protected void implCloseSelector() {
            if (isCloseBroken) {
                throw new IllegalStateException("thrown on purpose");
            }
        }

        @Override
        protected SelectionKey register(AbstractSelectableChannel socket, int ops, Object attachment) {
            if (isMemoryExhausted) {
                throw new OutOfMemoryError("thrown on purpose");
            }
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<SelectionKey> keys() {
            return none;
        }

        @Override
        public Set<SelectionKey> selectedKeys() {
            return none;
        }

        @Override
        public int selectNow() throws IOException {
            failIfRequested();
            return 0;
        }

        @Override
        public int select(long timeoutMillis) throws IOException {
            failIfRequested();
            return (int) onWait.applyAsLong(timeoutMillis);
        }

        @Override
        public int select() throws IOException {
            return select(0);
        }

        private void failIfRequested() throws IOException {
            if (isWaitFailing) {
                throw new IOException("thrown on purpose");
            }
        }

        @Override
        public Selector wakeup() {
            return this;
        }
    }
}
