package org.freshet.handler.stream;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

/** Returns given chunks, counts how it is used, and detects two threads at the same time. */
final class ScriptedInput implements ChunkedInput {
    /** Used in place of a chunk: nothing for now, until {@link #resume}. */
    static final Object NOTHING = new Object();

    private final Queue<Object> chunks = new ArrayDeque<>();
    private final AtomicInteger users = new AtomicInteger();
    final AtomicInteger taken = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    volatile String misuse;

    ScriptedInput(Object... chunks) {
        for (Object chunk : chunks) {
            this.chunks.add(chunk);
        }
    }

    synchronized void resume() {
        chunks.remove(NOTHING);
    }

    private synchronized Object head() {
        return chunks.peek();
    }

    private synchronized Object poll() {
        return chunks.poll();
    }

    private void enter(String call) {
        if (users.getAndIncrement() != 0) {
            misuse = call + " while another thread was in";
        }
        if (closed.get() != 0) {
            misuse = call + " after close";
        }
    }

    private void leave() {
        users.decrementAndGet();
    }

    @Override
    public boolean hasNextChunk() {
        enter("hasNextChunk");
        Object head = head();
        leave();
        return head != null && head != NOTHING;
    }

    @Override
    public Object nextChunk() throws Exception {
        enter("nextChunk");
        try {
            if (head() == NOTHING || head() == null) {
                return null;
            }
            taken.incrementAndGet();
            Object chunk = poll();
            if (chunk instanceof Exception failure) {
                throw failure;
            }
            return chunk;
        } finally {
            leave();
        }
    }

    @Override
    public boolean isEndOfInput() {
        enter("isEndOfInput");
        Object head = head();
        leave();
        return head == null;
    }

    @Override
    public void close() {
        enter("close");
        closed.incrementAndGet();
        leave();
    }
}
