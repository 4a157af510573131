package org.freshet.seams;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.MemoryBudget;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.websocketx.BinaryWebSocketFrame;
import org.freshet.seams.Crowd.Way;

/**
 * An application that writes to each of its channels without looking whether the peer reads, and goes on when there is no memory. Any thread
 * may call.
 */
final class Attack {
    private static final int WRITERS = 4;

    /** A message of each size per turn, and so many of the smallest. */
    private static final int SMALLEST = 32;

    /** So many failed allocations are a heap that is full. */
    private static final int FULL = 200;

    /** For writers that wait: one array for all, because each of them has a message at hand. */
    private static final byte[] LARGE = new byte[256 * 1024];

    static {
        new Random(7).nextBytes(LARGE); // which nothing compresses
    }

    private final Way way;
    private final Form[] forms;
    private final List<Channel> targets = new CopyOnWriteArrayList<>();
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final LongAccumulator most = new LongAccumulator(Math::max, 0);
    private volatile boolean isWriting;
    private volatile boolean wasFull;

    Attack(Way way) {
        this.way = way;
        forms = forms(way);
    }

    private static Form[] forms(Way way) {
        return switch (way) {
            case NOTHING, SHAPER, HTTP_1 ->
                new Form[] {Form.BUFFER_1_B, Form.BUFFER_1_KIB, Form.BUFFER_64_KIB, Form.REGION};
            case CHUNKS -> new Form[] {Form.STRING_1_B, Form.STRING_1_KIB, Form.STRING_64_KIB, Form.REGION};
            case WEB_SOCKET, WEB_SOCKET_BROADCAST -> new Form[] {Form.FRAME_1_B, Form.FRAME_1_KIB, Form.FRAME_64_KIB};
            default -> new Form[] {Form.BUFFER_1_B, Form.BUFFER_1_KIB, Form.BUFFER_64_KIB};
        };
    }

    void add(Channel target) {
        targets.add(target);
    }

    void start() {
        isWriting = true;
        Runnable writing = way == Way.WEB_SOCKET_BROADCAST ? this::broadcastOn : this::writeOn;
        for (int i = 0; i < WRITERS; i++) {
            if (way.isBlocking()) {
                targets.forEach(target -> startWriter(() -> writeOn(target)));
            } else {
                startWriter(writing);
            }
        }
    }

    void stop() {
        isWriting = false;
    }

    private static void startWriter(Runnable task) {
        Thread thread = new Thread(null, task, "writer", 256 * 1024);
        thread.setDaemon(true);
        thread.start();
    }

    // ---- writers ----------------------------------------------------------------------------------------------------

    private void writeOn() {
        while (isWriting) {
            for (Channel target : targets) {
                for (Form form : forms) {
                    for (int i = 0; i < count(form) && goesOn(target); i++) {
                        int number = i;
                        attempt(() -> target.write(message(form, number)));
                    }
                }
            }
        }
    }

    private void broadcastOn() {
        while (isWriting) {
            for (Form form : forms) {
                for (int i = 0; i < count(form); i++) {
                    int number = i;
                    attempt(() -> broadcast(message(form, number)));
                }
            }
        }
    }

    private void broadcast(Object message) {
        targets.stream().filter(this::goesOn).forEach(target -> attempt(() -> target.write(message)));
    }

    private void writeOn(Channel target) {
        while (goesOn(target)) {
            attempt(() -> {
                ChannelBuffer large = ChannelBuffers.wrappedBuffer(LARGE);
                target.write(way == Way.OIO ? large : new BinaryWebSocketFrame(large));
            });
        }
    }

    private boolean goesOn(Channel target) {
        return isWriting && target.isOpen();
    }

    private static int count(Form form) {
        return form.bytes == 1 ? SMALLEST : 1;
    }

    private Object message(Form form, int number) {
        Object message = form.message(0, number);
        return way.isHttp() && !form.isRegion() ? new DefaultHttpChunk((ChannelBuffer) message) : message;
    }

    /** Writes; without memory or descriptors the attack goes on. */
    private void attempt(Runnable write) {
        try {
            write.run();
            messages.incrementAndGet();
            most.accumulate(MemoryBudget.getQueuedBytes());
        } catch (RuntimeException | Error e) {
            if (errors.incrementAndGet() >= FULL && !wasFull) {
                sayFull();
            }
        }
    }

    private void sayFull() {
        try {
            Crowd.say(Crowd.FULL);
            wasFull = true;
        } catch (Throwable t) { // no memory for that either: the next error says it
            return;
        }
    }

    // ---- figures ----------------------------------------------------------------------------------------------------

    /** Of all channels of the process at a time. */
    long mostBytes() {
        return most.get();
    }

    @Override
    public String toString() {
        long open = targets.stream().filter(Channel::isOpen).count();
        return "targets=" + targets.size() + " open=" + open + " messages=" + messages + " errors=" + errors;
    }
}
