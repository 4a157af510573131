package org.freshet.channel.socket.nio.loop;

import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Opens one selector, which has no keys. It waits until it is woken, or until the test says that no more wake-ups will
 * come.
 */
public final class WaitingProvider extends SelectorProvider {
    private final Sleep selector = new Sleep(this);

    /** Only the loop waits; any thread may wake it. */
    private static final class Sleep extends AbstractSelector {
        private volatile boolean isWoken;
        private volatile boolean isOver;

        /** Loop only, until the end. */
        private boolean hasWaited;

        Sleep(SelectorProvider provider) {
            super(provider);
        }

        @Override
        public Selector wakeup() {
            isWoken = true;
            return this;
        }

        @Override
        public int select(Consumer<SelectionKey> action, long timeoutMillis) {
            hasWaited = true;
            while (!isWoken && !isOver) {
                Thread.onSpinWait();
            }
            return 0;
        }

        @Override
        public int selectNow(Consumer<SelectionKey> action) {
            return 0;
        }

        @Override
        public int selectNow() {
            return 0;
        }

        @Override
        public int select(long timeoutMillis) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int select() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<SelectionKey> keys() {
            return Set.of();
        }

        @Override
        public Set<SelectionKey> selectedKeys() {
            return Set.of();
        }

        @Override
        protected SelectionKey register(AbstractSelectableChannel socket, int ops, Object attachment) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void implCloseSelector() {
            // there is nothing to close
        }
    }

    public boolean hasWaited() {
        return selector.hasWaited;
    }

    /** Called when no more wake-ups will come. Any thread. */
    public void end() {
        selector.isOver = true;
    }

    public boolean isWoken() {
        return selector.isWoken;
    }

    @Override
    public AbstractSelector openSelector() {
        return selector;
    }

    @Override
    public DatagramChannel openDatagramChannel() {
        throw new UnsupportedOperationException();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Pipe openPipe() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SocketChannel openSocketChannel() {
        throw new UnsupportedOperationException();
    }
}
