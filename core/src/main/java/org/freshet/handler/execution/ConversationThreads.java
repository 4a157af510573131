package org.freshet.handler.execution;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.internal.VirtualThreads;

/** The default threads for conversations. Any thread may call it. */
final class ConversationThreads {
    private static final AtomicLong lastNumber = new AtomicLong();

    private ConversationThreads() {}

    static Executor cheapest() {
        return VirtualThreads.exist() ? VirtualThreads.executor() : ConversationThreads::startPlatformThread;
    }

    static void startPlatformThread(Runnable task) {
        Thread thread = new Thread(task, "freshet-conversation-" + lastNumber.incrementAndGet());
        thread.setDaemon(true);
        thread.start();
    }
}
