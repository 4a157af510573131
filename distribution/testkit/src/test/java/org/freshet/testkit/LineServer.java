package org.freshet.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.freshet.handler.codec.frame.Delimiters;
import org.freshet.handler.timeout.ReadTimeoutHandler;

/**
 * A server as users write it: answers each line with the same line and an exclamation mark, some of them later, but in
 * order; floods a client on request, no faster than it reads; says goodbye; and closes idle connections. Each {@link
 * Fault} breaks one of these.
 * asks for it, no faster than it is read; says goodbye; and ends connections that are silent. Each {@link Fault} breaks one of these.
 */
final class LineServer implements ChannelPipelineFactory {
    static final int FLOOD_BYTES = 24 * 1024;

    private static final int FLOOD_LINE_BYTES = 64;
    private static final int MAX_LINE_BYTES = 64;

    enum Fault {
        NONE,
        LOSES_AN_ANSWER,
        ANSWERS_TWICE,
        ANSWERS_OUT_OF_ORDER,
        FORGETS_TO_CLOSE,
        CLOSES_TOO_EARLY,
        TAKES_READS_FOR_LINES,
        TAKES_ONE_LINE_PER_READ,
        SPLITS_CHARACTERS,
        HAS_NO_TIMEOUT,
        QUEUES_WITHOUT_BOUND,
        NEVER_RESUMES,
        SWALLOWS_EXCEPTIONS,
        SHARES_A_DECODER,
        REUSES_A_BUFFER,
        THROWS_ON_AN_EMPTY_LINE,
        LEAKS_A_TIMEOUT,
        BLOCKS,
        STARTS_A_THREAD,
        READS_THE_CLOCK,
        MISCOUNTS_CONNECTIONS;

        boolean canBeRepeated() {
            return this != BLOCKS && this != STARTS_A_THREAD && this != READS_THE_CLOCK;
        }
    }

    private final SimulatedNetwork network;
    private final Fault fault;
    private final ChannelBuffer reused = ChannelBuffers.buffer(1024);
    private final ChannelBuffer sharedLine = ChannelBuffers.dynamicBuffer();
    private int connections;
    private int answers;

    LineServer(SimulatedNetwork network, Fault fault) {
        this.network = network;
        this.fault = fault;
    }

    private boolean has(Fault planted) {
        return fault == planted;
    }

    int connections() {
        return connections;
    }

    @Override
    public ChannelPipeline getPipeline() {
        ChannelPipeline pipeline = Channels.pipeline();
        if (!has(Fault.HAS_NO_TIMEOUT)) {
            pipeline.addLast("timeout", new ReadTimeoutHandler(network.timer(), 10, TimeUnit.MINUTES));
        }
        pipeline.addLast("lines", decoder());
        pipeline.addLast("service", new Service());
        return pipeline;
    }

    private ChannelHandler decoder() {
        return switch (fault) {
            case TAKES_READS_FOR_LINES -> new NaiveDecoder(Integer.MAX_VALUE, null);
            case TAKES_ONE_LINE_PER_READ -> new NaiveDecoder(1, ChannelBuffers.dynamicBuffer());
            case SHARES_A_DECODER -> new NaiveDecoder(Integer.MAX_VALUE, sharedLine);
            default -> new DelimiterBasedFrameDecoder(MAX_LINE_BYTES, Delimiters.lineDelimiter());
        };
    }

    /** Splits the input at line ends, with one of the usual mistakes. */
    private static final class NaiveDecoder extends SimpleChannelUpstreamHandler {
        private final int linesPerRead;

        /** Null to drop an incomplete line. */
        private final ChannelBuffer kept;

        NaiveDecoder(int linesPerRead, ChannelBuffer kept) {
            this.linesPerRead = linesPerRead;
            this.kept = kept;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ChannelBuffer bytes = (ChannelBuffer) e.getMessage();
            if (kept != null) {
                kept.writeBytes(bytes);
                bytes = kept;
            }
            int lines = 0;
            for (int end = bytes.bytesBefore((byte) '\n');
                    end >= 0 && lines < linesPerRead;
                    end = bytes.bytesBefore((byte) '\n')) {
                ChannelBuffer line = bytes.readBytes(end);
                bytes.skipBytes(1);
                lines++;
                Channels.fireMessageReceived(ctx, line);
            }
            if (kept == null && bytes.readable()) {
                Channels.fireMessageReceived(ctx, bytes.readBytes(bytes.readableBytes()));
            }
        }
    }

    /** One connection. */
    private final class Service extends SimpleChannelUpstreamHandler {
        private final Queue<String> waiting = new ArrayDeque<>();
        private boolean isAnswering;
        private int floodLeft;

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            connections++;
            if (has(Fault.LEAKS_A_TIMEOUT)) {
                beat(e.getChannel());
            }
        }

        private void beat(Channel channel) {
            network.timer().newTimeout(t -> beat(channel), 1, TimeUnit.MINUTES);
        }

        @Override
        public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (!has(Fault.MISCOUNTS_CONNECTIONS)) {
                connections--;
            }
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            String line = ((ChannelBuffer) e.getMessage()).toString(StandardCharsets.UTF_8);
            if (has(Fault.BLOCKS)) {
                new CountDownLatch(1).await(2, TimeUnit.SECONDS);
            }
            if (has(Fault.THROWS_ON_AN_EMPTY_LINE)) {
                line.charAt(0);
            }
            if (line.equals("flood")) {
                floodLeft = FLOOD_BYTES;
                flood(e.getChannel());
                return;
            }
            waiting.add(line);
            if (has(Fault.ANSWERS_OUT_OF_ORDER)) {
                later(() -> answer(e.getChannel(), waiting.poll(), line));
            } else if (!isAnswering) {
                isAnswering = true;
                later(() -> answerNext(e.getChannel()));
            }
        }

        private void later(Runnable task) {
            int millis = network.random(3);
            if (millis == 0) {
                task.run();
            } else {
                network.timer().newTimeout(t -> task.run(), millis, TimeUnit.MILLISECONDS);
            }
        }

        private void answerNext(Channel channel) {
            String line = waiting.poll();
            if (line == null) {
                isAnswering = false;
                return;
            }
            answer(channel, line, line);
            later(() -> answerNext(channel));
        }

        private void answer(Channel channel, String oldest, String line) {
            String answered = oldest == null ? line : has(Fault.ANSWERS_OUT_OF_ORDER) ? line : oldest;
            if (answered.equals("quit")) {
                sayGoodbye(channel);
                return;
            }
            answers++;
            if (has(Fault.LOSES_AN_ANSWER) && answers % 5 == 0) {
                return;
            }
            write(channel, answered + "!\n");
            if (has(Fault.ANSWERS_TWICE) && answers % 5 == 0) {
                write(channel, answered + "!\n");
            }
        }

        private void write(Channel channel, String text) {
            if (has(Fault.STARTS_A_THREAD)) {
                Thread writer = new Thread(() -> channel.write(utf8(text)), "writer");
                writer.setDaemon(true);
                writer.start();
                return;
            }
            if (has(Fault.READS_THE_CLOCK) && System.nanoTime() % 2 == 0) {
                channel.write(utf8(""));
            }
            channel.write(has(Fault.REUSES_A_BUFFER) ? reused(text) : utf8(text));
        }

        private ChannelBuffer utf8(String text) {
            return has(Fault.SPLITS_CHARACTERS)
                    ? ChannelBuffers.copiedBuffer(text, StandardCharsets.ISO_8859_1)
                    : ChannelBuffers.copiedBuffer(text, StandardCharsets.UTF_8);
        }

        private ChannelBuffer reused(String text) {
            reused.clear();
            reused.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            return reused.slice();
        }

        private void sayGoodbye(Channel channel) {
            if (has(Fault.CLOSES_TOO_EARLY)) {
                network.timer().newTimeout(t -> channel.write(utf8("bye\n")), 1, TimeUnit.MILLISECONDS);
                channel.close();
            } else if (has(Fault.FORGETS_TO_CLOSE)) {
                channel.write(utf8("bye\n"));
            } else {
                channel.write(utf8("bye\n")).addListener(ChannelFutureListener.CLOSE);
            }
        }

        private void flood(Channel channel) {
            while (floodLeft > 0 && (channel.isWritable() || has(Fault.QUEUES_WITHOUT_BOUND))) {
                floodLeft -= FLOOD_LINE_BYTES;
                channel.write(ChannelBuffers.wrappedBuffer(new byte[FLOOD_LINE_BYTES]));
            }
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (!has(Fault.NEVER_RESUMES)) {
                flood(e.getChannel());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            if (!has(Fault.SWALLOWS_EXCEPTIONS)) {
                e.getChannel().close();
            }
        }
    }
}
