package org.freshet.handler.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOError;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelFutureProgressListener;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.WriteAccount;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChunkedWriteHandlerTest {
    private final ChunkedWriteHandler handler = new ChunkedWriteHandler();
    private final MemoryChannel channel = MemoryChannel.connected(handler);

    /** Otherwise its backlog would count in the memory budget of later tests. */
    @AfterEach
    void close() {
        channel.close();
    }

    private static void assertEnded(ScriptedInput input) {
        assertEquals(1, input.closed.get(), "times closed");
        assertNull(input.misuse);
    }

    @Test
    void shouldSendAllChunksInOrder() {
        ScriptedInput input = new ScriptedInput("a", "b", "c");
        ChannelFuture sent = channel.write(input);
        assertEquals(List.of("a", "b", "c"), channel.takeWritten());
        assertTrue(sent.isSuccess());
        assertEnded(input);
    }

    @Test
    void shouldEndTheOutputAfterTheLastChunk() {
        channel.turnWritable(false);
        channel.write(new ScriptedInput("a", "b"));
        Channels.shutdownOutput(channel);
        assertEquals(List.of(), channel.takeWritten());
        channel.turnWritable(true);
        assertEquals(List.of("a", "b", OutputShutdown.INSTANCE), channel.takeWritten());
    }

    @Test
    void shouldReadTheNextChunkOnlyWhileTheChannelIsWritable() {
        channel.turnWritable(false);
        ScriptedInput input = new ScriptedInput("a", "b", "c");
        ChannelFuture sent = channel.write(input);
        assertEquals(0, input.taken.get());
        channel.turnWritable(true);
        assertEquals(List.of("a", "b", "c"), channel.takeWritten());
        assertTrue(sent.isSuccess());
    }

    @Test
    void shouldTakeAtMostOneChunkBeyondTheWaterMark() {
        // the transport of this channel is full after every write, like that of a slow peer
        ChannelDownstreamHandler fullAfterWrite = (ctx, e) -> {
            ctx.sendDownstream(e);
            if (e instanceof MessageEvent) {
                ((MemoryChannel) e.getChannel()).turnWritable(false);
            }
        };
        MemoryChannel slow = MemoryChannel.connected(fullAfterWrite, new ChunkedWriteHandler())
                .holdWrites();
        ScriptedInput input = new ScriptedInput("a", "b", "c");
        slow.write(input);
        for (int chunks = 1; chunks <= 3; chunks++) {
            assertEquals(chunks, input.taken.get());
            assertEquals(1, slow.unansweredWrites());
            slow.completeWrites();
            slow.turnWritable(true);
        }
        assertEnded(input);
    }

    @Test
    void shouldNotLetMessagesOvertakeAnInput() {
        channel.turnWritable(false);
        channel.write("before");
        assertEquals(List.of("before"), channel.takeWritten());
        channel.write(new ScriptedInput("a", "b"));
        ChannelFuture between = channel.write("between");
        channel.write(new ScriptedInput("c"));
        channel.write("after");
        assertEquals(List.of(), channel.takeWritten());
        assertFalse(between.isDone());
        channel.turnWritable(true);
        assertEquals(List.of("a", "b", "between", "c", "after"), channel.takeWritten());
    }

    @Test
    void shouldSucceedOnceTheLastChunkWasSent() {
        channel.holdWrites();
        ScriptedInput input = new ScriptedInput("a", "b");
        ChannelFuture sent = channel.write(input);
        channel.completeWrites(1);
        assertFalse(sent.isDone());
        assertEquals(0, input.closed.get());
        channel.completeWrites(1);
        assertTrue(sent.isSuccess());
        assertEnded(input);
    }

    @Test
    void shouldCloseTheInputBeforeItCompletesTheFuture() {
        channel.holdWrites();
        ScriptedInput succeeds = new ScriptedInput("a");
        ScriptedInput fails = new ScriptedInput("b");
        List<Integer> closedWhenTold = new ArrayList<>();
        channel.write(succeeds).addListener(future -> closedWhenTold.add(succeeds.closed.get()));
        channel.write(fails).addListener(future -> closedWhenTold.add(fails.closed.get()));
        channel.completeWrites(1);
        channel.close();
        assertEquals(List.of(1, 1), closedWhenTold);
    }

    @Test
    void shouldSucceedWithAnEmptyInput() {
        ScriptedInput input = new ScriptedInput();
        assertTrue(channel.write(input).isSuccess());
        assertEquals(List.of(), channel.takeWritten());
        assertEnded(input);
    }

    @Test
    void shouldReportProgressInBytes(@TempDir Path directory) throws Exception {
        Path file = Files.write(directory.resolve("file"), new byte[250]);
        List<String> progress = new ArrayList<>();
        ChannelFutureProgressListener listener = new ChannelFutureProgressListener() {
            @Override
            public void operationProgressed(ChannelFuture future, long amount, long current, long total) {
                progress.add(amount + " " + current + "/" + total);
            }

            @Override
            public void operationComplete(ChannelFuture future) {
                progress.add("success " + future.isSuccess());
            }
        };
        channel.holdWrites();
        channel.write(new ChunkedFile(file.toFile(), 100)).addListener(listener);
        channel.completeWrites();
        assertEquals(List.of("100 100/250", "100 200/250", "50 250/250", "success true"), progress);
        progress.clear();
        channel.write(new ScriptedInput(ChannelBuffers.wrappedBuffer(new byte[10])))
                .addListener(listener);
        channel.completeWrites();
        assertEquals(List.of("10 10/-1", "success true"), progress);
    }

    @Test
    void shouldFailAnInputIfAChunkFails() {
        channel.holdWrites();
        ScriptedInput input = new ScriptedInput("a", ScriptedInput.NOTHING, "b");
        ChannelFuture failed = channel.write(input);
        ChannelFuture next = channel.write("next");
        Exception cause = new Exception();
        channel.failWrites(cause);
        assertSame(cause, failed.getCause());
        assertEnded(input);
        channel.completeWrites();
        assertTrue(next.isSuccess());
        assertEquals(List.of("a", "next"), channel.takeWritten());
    }

    @Test
    void shouldFailAnInputIfItsLastChunkFails() {
        channel.holdWrites();
        ScriptedInput input = new ScriptedInput("a", "b");
        ChannelFuture failed = channel.write(input);
        channel.completeWrites(1);
        Exception cause = new Exception();
        channel.failWrites(cause);
        assertSame(cause, failed.getCause());
        assertEnded(input);
    }

    @Test
    void shouldFailAnInputThatThrowsAndReportItAbove() {
        Exception cause = new IOException("disk on fire");
        ScriptedInput input = new ScriptedInput("a", cause, "never");
        ChannelFuture failed = channel.write(input);
        channel.write("next");
        assertSame(cause, failed.getCause());
        assertEnded(input);
        assertEquals(List.of(cause), channel.takeCaught());
        assertEquals(List.of("a", "next"), channel.takeWritten());
    }

    @Test
    void shouldReportTheOutcomeEvenIfTheInputCannotBeClosed() {
        ChunkedInput input = new ChunkedInput() {
            @Override
            public boolean hasNextChunk() {
                return false;
            }

            @Override
            public Object nextChunk() {
                return null;
            }

            @Override
            public boolean isEndOfInput() {
                return true;
            }

            @Override
            public void close() throws Exception {
                throw new IOException("cannot close");
            }
        };
        try (CapturedLog log = CapturedLog.start()) {
            assertTrue(channel.write(input).isSuccess());
            assertEquals(
                    "cannot close",
                    log.messages(InternalLogLevel.WARN).get(0).cause().getMessage());
        }
    }

    @Test
    void shouldFailEverythingEvenIfClosingAnInputThrowsAnError() {
        channel.turnWritable(false);
        ChunkedInput bad = new ChunkedStream(new ByteArrayInputStream(new byte[1]) {
            @Override
            public void close() {
                throw new IOError(new IOException("thrown on purpose"));
            }
        });
        ScriptedInput next = new ScriptedInput("a");
        List<ChannelFuture> futures = List.of(channel.write(bad), channel.write("plain"), channel.write(next));
        try (CapturedLog log = CapturedLog.start()) {
            channel.close();
            assertEquals("thrown on purpose", log.only().cause().getCause().getMessage());
        }
        for (ChannelFuture future : futures) {
            assertInstanceOf(ClosedChannelException.class, future.getCause());
        }
        assertEnded(next);
    }

    @Test
    void shouldFailEverythingWhenTheChannelCloses() {
        channel.turnWritable(false);
        ScriptedInput first = new ScriptedInput("a");
        ScriptedInput second = new ScriptedInput("b");
        List<ChannelFuture> futures = List.of(channel.write(first), channel.write("plain"), channel.write(second));
        channel.close();
        for (ChannelFuture future : futures) {
            assertInstanceOf(ClosedChannelException.class, future.getCause());
        }
        assertEnded(first);
        assertEnded(second);
        assertEquals(List.of(), channel.takeWritten());
    }

    @Test
    void shouldFailEverythingWhenTheChannelClosesEvenIfAHandlerBelowHidesIt() {
        ChannelUpstreamHandler hiding = (ctx, e) -> {
            if (ctx.getChannel().isOpen()) {
                ctx.sendUpstream(e);
            }
        };
        MemoryChannel hidden = MemoryChannel.connected(hiding, new ChunkedWriteHandler());
        ScriptedInput input = new ScriptedInput("a", ScriptedInput.NOTHING, "b");
        List<ChannelFuture> futures = List.of(hidden.write(input), hidden.write("plain"));
        hidden.close();
        for (ChannelFuture future : futures) {
            assertInstanceOf(ClosedChannelException.class, future.getCause());
        }
        assertEnded(input);
    }

    @Test
    void shouldFailWritesToAClosedChannel() {
        channel.close();
        ScriptedInput input = new ScriptedInput("a");
        assertInstanceOf(ClosedChannelException.class, channel.write(input).getCause());
        assertInstanceOf(ClosedChannelException.class, channel.write("plain").getCause());
        assertEnded(input);
        assertEquals(0, input.taken.get());
    }

    @Test
    void shouldFailQueuedMessagesWhenItIsRemoved() {
        channel.turnWritable(false);
        ScriptedInput input = new ScriptedInput("a");
        ChannelFuture transfer = channel.write(input);
        ChannelFuture plain = channel.write("plain");
        channel.getPipeline().remove(handler);
        assertEquals(
                "the handler was removed before the message was written",
                transfer.getCause().getMessage());
        assertInstanceOf(IOException.class, plain.getCause());
        assertEnded(input);
        assertTrue(channel.write("free").isSuccess());
    }

    @Test
    void shouldWaitForAnInputThatHasNothingForNow() {
        ScriptedInput input = new ScriptedInput("a", ScriptedInput.NOTHING, "b");
        ChannelFuture sent = channel.write(input);
        channel.write("after");
        assertEquals(List.of("a"), channel.takeWritten());
        handler.resumeTransfer();
        assertEquals(List.of(), channel.takeWritten());
        input.resume();
        handler.resumeTransfer();
        assertEquals(List.of("b", "after"), channel.takeWritten());
        assertTrue(sent.isSuccess());
        new ChunkedWriteHandler().resumeTransfer(); // not in a pipeline: nothing to resume
    }

    @Test
    void shouldLetTheUserCloseWhenDone() {
        ScriptedInput input = new ScriptedInput("a", "b");
        channel.write(input).addListener(ChannelFutureListener.CLOSE);
        assertFalse(channel.isOpen());
        assertEquals(List.of("a", "b"), channel.takeWritten());
        assertEnded(input);
    }

    @Test
    void shouldPassOtherRequestsImmediately() {
        channel.turnWritable(false);
        channel.write(new ScriptedInput("a"));
        channel.setReadable(false);
        assertFalse(channel.isReadable());
    }

    /** Writers run alongside a simulated transport that changes writability, completes writes, and finally closes. */
    @RepeatedTest(5)
    void shouldEndEveryWriteOnceUnderLoad() {
        int writers = 3;
        int inputsPerWriter = 300;
        channel.holdWrites();
        AtomicInteger completions = new AtomicInteger();
        List<ScriptedInput> inputs = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        AtomicInteger atWork = new AtomicInteger(writers);
        for (int w = 0; w < writers; w++) {
            List<ScriptedInput> own = new ArrayList<>();
            Random random = Seeds.random(w);
            for (int i = 0; i < inputsPerWriter; i++) {
                own.add(randomInput(random, w + "." + i));
            }
            inputs.addAll(own);
            threads.add(new Thread(() -> {
                for (ScriptedInput input : own) {
                    channel.write(input).addListener(future -> completions.incrementAndGet());
                    channel.write("plain").addListener(future -> completions.incrementAndGet());
                }
                atWork.decrementAndGet();
            }));
        }
        threads.forEach(Thread::start);
        Random random = Seeds.random(writers);
        while (atWork.get() > 0) {
            channel.turnWritable(random.nextInt(3) > 0);
            if (random.nextInt(50) == 0) {
                channel.failWrites(new IOException("now and then"));
            }
            channel.completeWrites();
        }
        threads.forEach(Await::end);
        channel.close();
        assertEquals(2 * writers * inputsPerWriter, completions.get());
        inputs.forEach(ChunkedWriteHandlerTest::assertEnded);
        assertWhole(channel.takeWritten());
    }

    private static ScriptedInput randomInput(Random random, String name) {
        Object[] chunks = new Object[random.nextInt(6)];
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = random.nextInt(60) == 0 ? new IOException(name) : name + ":" + i;
        }
        return new ScriptedInput(chunks);
    }

    /** Chunks of two inputs do not mix, and those of one input arrive in order from the first. */
    private static void assertWhole(List<Object> written) {
        String current = "";
        int last = -1;
        List<String> done = new ArrayList<>();
        for (Object message : written) {
            String text = (String) message;
            if (text.equals("plain")) {
                continue;
            }
            String name = text.substring(0, text.indexOf(':'));
            int index = Integer.parseInt(text.substring(text.indexOf(':') + 1));
            if (!name.equals(current)) {
                assertFalse(done.contains(name), "chunks of two inputs mix: " + name);
                done.add(name);
                current = name;
                last = -1;
            }
            assertEquals(last + 1, index, "chunk of " + name);
            last = index;
        }
    }

    @Test
    void shouldContinueWhenAUserMakesTheChannelWritableWithABacklogBehindTheInput() {
        channel.setUserDefinedWritability(1, false);
        ChannelFuture sent = channel.write(new ScriptedInput("a", "b"));
        channel.write(ChannelBuffers.wrappedBuffer(new byte[200_000]));
        assertEquals(List.of(), channel.takeWritten());
        channel.setUserDefinedWritability(1, true);
        assertTrue(sent.isSuccess());
        assertEquals(3, channel.takeWritten().size());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    /** A user's future, which may throw. */
    private static final class ThrowingFuture extends DefaultChannelFuture {
        ThrowingFuture(Channel channel) {
            super(channel, false);
        }

        @Override
        public boolean setSuccess() {
            super.setSuccess();
            throw new IllegalStateException("a future of the user's");
        }

        @Override
        public boolean setFailure(Throwable cause) {
            super.setFailure(cause);
            throw new IllegalStateException("a future of the user's");
        }
    }

    private ChannelFuture writeWithThrowingFuture(Object message) {
        ChannelFuture future = new ThrowingFuture(channel);
        channel.getPipeline().sendDownstream(new DownstreamMessageEvent(channel, future, message, null));
        return future;
    }

    @Test
    void shouldSendMessagesAfterAnInputWhoseFutureThrows() {
        channel.setUserDefinedWritability(1, false);
        ChannelFuture first = writeWithThrowingFuture(new ScriptedInput("a"));
        ChannelFuture second = writeWithThrowingFuture(new ScriptedInput(new IOException("unreadable")));
        ChannelFuture third = channel.write(new ScriptedInput("c"));
        try {
            channel.setUserDefinedWritability(1, true);
        } catch (RuntimeException ofTheFuture) {
            // it may pass
        }
        assertTrue(first.isSuccess());
        assertFalse(second.isSuccess());
        assertTrue(third.isSuccess());
        assertEquals(List.of("a", "c"), channel.takeWritten());
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }

    @Test
    void shouldFailAllQueuedMessagesWhenTheChannelClosesAndAFutureThrows() {
        channel.setUserDefinedWritability(1, false);
        ChannelFuture first = writeWithThrowingFuture(new ScriptedInput("a"));
        ChannelFuture second = writeWithThrowingFuture("b");
        ChannelFuture third = channel.write(new ScriptedInput("c"));
        ChannelFuture fourth = channel.write("d");
        channel.close();
        for (ChannelFuture future : List.of(first, second, third, fourth)) {
            assertTrue(future.isDone());
            assertFalse(future.isSuccess());
        }
        assertEquals(0, WriteAccount.waitingBytes(channel));
    }
}
