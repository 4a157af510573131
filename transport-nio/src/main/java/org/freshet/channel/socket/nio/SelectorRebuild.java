package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;

/** Moves every key of a selector to a new one. Loop only. */
final class SelectorRebuild {
    private SelectorRebuild() {}

    /** Returns the new selector; when it fails to open, the old one stays as it was. */
    static Selector moveAll(Selector old, SelectorProvider provider) throws IOException {
        Selector fresh = provider.openSelector();
        if (!old.isOpen()) {
            return fresh;
        }
        for (SelectionKey key : new ArrayList<>(old.keys())) { // what fails to move is closed, which may remove keys
            move(key, fresh);
        }
        old.close();
        return fresh;
    }

    private static void move(SelectionKey key, Selector fresh) {
        if (!key.isValid() || !(key.attachment() instanceof LoopChannel channel)) {
            return;
        }
        try {
            int ops = key.interestOps();
            SelectionKey moved = key.channel().register(fresh, ops, channel);
            key.cancel();
            channel.onKeyChanged(moved);
        } catch (IOException | RuntimeException e) {
            channel.onLoopStopping();
        }
    }
}
