package org.freshet.seams;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.BooleanSupplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.MemoryBudget;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.websocketx.BinaryWebSocketFrame;
import org.freshet.seams.Crowd.Way;

/**
 * An application that writes to each of its channels without checking whether the peer reads, and continues when memory
 * runs out. Any thread may call this.
 */
final class Attack {
    private static final int WRITERS = 4;

    /** Per turn, one message of each size, and this many of the smallest. */
    private static final int SMALLEST = 32;

    /** After this many failed allocations the heap is considered full. */
    private static final int FULL = 20;

    /** For writers that wait: one shared array, because each of them holds a message. */
    private static final byte[] LARGE = new byte[256 * 1024];

    static {
        new Random(7).nextBytes(LARGE); // not compressible
    }

    private final Way way;
    private final Form[] forms;
    private final List<Channel> targets = new CopyOnWriteArrayList<>();
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final LongAccumulator most = new LongAccumulator(Math::max, 0);
    private volatile boolean isOverSaid;
    private volatile boolean isWriting;

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
        for (int i = 0; i < WRITERS; i++) {
            if (way.isBlocking()) {
                targets.forEach(target -> startWriter(() -> goesOn(target), () -> writeLarge(target)));
            } else {
                startWriter(() -> isWriting, way == Way.WEB_SOCKET_BROADCAST ? this::broadcast : this::writeToAll);
            }
        }
    }

    void stop() {
        isWriting = false;
    }

    private void startWriter(BooleanSupplier goesOn, Runnable turn) {
        Thread thread = new Thread(null, () -> run(goesOn, turn), "writer", 256 * 1024);
        thread.setDaemon(true);
        thread.start();
    }

    // ---- writers ----------------------------------------------------------------------------------------------------

    /** Ignores everything thrown: the attack continues without memory or descriptors. */
    private void run(BooleanSupplier goesOn, Runnable turn) {
        while (goesOn.getAsBoolean()) {
            try {
                turn.run();
                if (targets.stream().noneMatch(Channel::isOpen)) {
                    sayOver();
                }
            } catch (RuntimeException | Error e) {
                onError();
            }
        }
    }

    private void writeToAll() {
        for (Channel target : targets) {
            for (Form form : forms) {
                for (int i = 0; i < count(form) && goesOn(target); i++) {
                    write(target, form, i);
                }
            }
        }
    }

    private void broadcast() {
        for (Form form : forms) {
            for (int i = 0; i < count(form); i++) {
                Object message = message(form, i);
                for (Channel target : targets) {
                    if (goesOn(target)) {
                        write(target, message);
                    }
                }
            }
        }
    }

    private void writeLarge(Channel target) {
        ChannelBuffer large = ChannelBuffers.wrappedBuffer(LARGE);
        write(target, way == Way.OIO ? large : new BinaryWebSocketFrame(large));
    }

    private void write(Channel target, Form form, int number) {
        try {
            write(target, message(form, number));
        } catch (RuntimeException | Error e) {
            onError(); // the next message may be smaller
        }
    }

    private void write(Channel target, Object message) {
        most.accumulate(MemoryBudget.getQueuedBytes()); // the write may not return
        ChannelFuture written = target.write(message);
        messages.incrementAndGet();
        if (written.getCause() instanceof OutOfMemoryError) {
            onError();
        }
        most.accumulate(MemoryBudget.getQueuedBytes());
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

    private void onError() {
        if (errors.incrementAndGet() >= FULL) {
            sayOver();
        }
    }

    /** If there is no memory for it, the next error tries again: code that runs for the first time takes some. */
    private void sayOver() {
        if (isOverSaid) {
            return;
        }
        try {
            Crowd.sayFull();
            isOverSaid = true;
        } catch (Error noMemory) {
            isOverSaid = false;
        }
    }

    // ---- figures ----------------------------------------------------------------------------------------------------

    /** The sum over all channels of the process at a time. */
    long mostBytes() {
        return most.get();
    }

    @Override
    public String toString() {
        long open = targets.stream().filter(Channel::isOpen).count();
        return "targets=" + targets.size() + " open=" + open + " messages=" + messages + " errors=" + errors;
    }
}
