package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Moves every key of a selector to a new one. Loop only. */
final class SelectorRebuild {
    private SelectorRebuild() {}

    /**
     * Returns the new selector; when it fails to open, the old one stays as it was. The old one is the caller's to close.
     *
     * @param close closes a channel that fails to move; throws nothing
     */
    static Selector moveAll(Selector old, SelectorProvider provider, Consumer<LoopChannel> close) throws IOException {
        List<SelectionKey> keys = old.isOpen() ? new ArrayList<>(old.keys()) : List.of(); // a close may remove keys
        Selector fresh = provider.openSelector();
        for (SelectionKey key : keys) {
            move(key, fresh, close);
        }
        return fresh;
    }

    private static void move(SelectionKey key, Selector fresh, Consumer<LoopChannel> close) {
        if (!key.isValid() || !(key.attachment() instanceof LoopChannel channel)) {
            return;
        }
        try {
            int ops = key.interestOps();
            SelectionKey moved = key.channel().register(fresh, ops, channel);
            key.cancel();
            channel.onKeyChanged(moved);
        } catch (Throwable t) { // for want of memory, too
            close.accept(channel);
        }
    }
}
