package org.freshet.example.filesend;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.handler.stream.ChunkedNioFile;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.handler.traffic.ChannelTrafficShapingHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** Sends one file to a {@link ReceiverHandler}. Its methods block, so don't call them on I/O threads. */
final class FileSender implements AutoCloseable {
    /** While more than this waits to be sent at the limited rate, no further chunk is read. */
    private static final int MAX_WAITING_BYTES = 64 * 1024;

    private final Timer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);
    private final ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
    private final ChannelTrafficShapingHandler shaping;
    private final CompletableFuture<Boolean> answer = new CompletableFuture<>();

    FileSender(long bytesPerSecond) {
        shaping = new ChannelTrafficShapingHandler(timer, bytesPerSecond, 0);
        shaping.setMaxWriteSize(MAX_WAITING_BYTES);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(shaping, new ChunkedWriteHandler(), new AnswerHandler()));
    }

    /** Returns the receiver's answer: whether the hash is right. */
    boolean send(Path file, SocketAddress receiver) throws IOException, InterruptedException {
        ChannelBuffer header = ChannelBuffers.dynamicBuffer();
        header.writeLong(Files.size(file));
        header.writeBytes(Hash.of(file));
        ChannelFuture connecting = bootstrap.connect(receiver).await();
        if (!connecting.isSuccess()) {
            System.err.println("cannot connect: " + connecting.getCause().getMessage());
            return false;
        }
        Channel channel = connecting.getChannel();
        channel.write(header);
        Progress progress = new Progress(shaping);
        channel.write(new ChunkedNioFile(file.toFile())).addListener(progress); // the handler closes the file
        try {
            boolean same = answer.get();
            progress.summarize();
            System.out.println("the receiver reports that the hash is " + (same ? "right" : "wrong"));
            return same;
        } catch (ExecutionException e) {
            System.err.println("failed: " + e.getCause());
            return false;
        }
    }

    @Override
    public void close() {
        bootstrap.releaseExternalResources();
        timer.stop();
    }

    private final class AnswerHandler extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            answer.complete(((ChannelBuffer) e.getMessage()).readByte() == ReceiverHandler.RIGHT);
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            answer.completeExceptionally(new IOException("the connection was closed without an answer"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            answer.completeExceptionally(e.getCause());
            e.getChannel().close();
        }
    }
}
