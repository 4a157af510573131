package org.freshet.example.filesend;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;

/** Sender and receiver in one program, over loopback. */
public final class FileSend {
    private static final int SAMPLE_BYTES = 8_000_000;
    private static final int DEFAULT_KIBIBYTES_PER_SECOND = 4096;
    private static final int MAX_KIBIBYTES_PER_SECOND = 10_000_000;

    private FileSend() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Arguments arguments = new Arguments("file-send [FILE [KIBIBYTES_PER_SECOND]]", 0, 2, args);
        if (args.length > 0 && !(Files.isRegularFile(Path.of(args[0])) && Files.isReadable(Path.of(args[0])))) {
            throw arguments.refuse("not a readable file: " + args[0]);
        }
        int rate = arguments.number(1, "KiB per second", 1, MAX_KIBIBYTES_PER_SECOND, DEFAULT_KIBIBYTES_PER_SECOND);
        System.out.println(
                "file-send: sends a file in chunks, with only a few of them in memory, at " + rate + " KiB/s;");
        System.out.println("the receiver verifies its hash");
        boolean ok;
        if (args.length > 0) {
            ok = transfer(Path.of(args[0]), rate * 1024L);
        } else {
            Path sample = Files.write(Files.createTempFile("file-send", ".tmp"), sample());
            try {
                ok = transfer(sample, rate * 1024L);
            } finally {
                Files.delete(sample);
            }
        }
        System.exit(ok ? 0 : 1);
    }

    private static byte[] sample() {
        byte[] bytes = new byte[SAMPLE_BYTES];
        new Random(SAMPLE_BYTES).nextBytes(bytes);
        return bytes;
    }

    /** Returns whether the receiver got the file unchanged. */
    private static boolean transfer(Path file, long bytesPerSecond) throws IOException, InterruptedException {
        ServerBootstrap receiver = new ServerBootstrap(new NioServerSocketChannelFactory());
        receiver.setPipelineFactory(() -> Channels.pipeline(new ReceiverHandler()));
        try (FileSender sender = new FileSender(bytesPerSecond)) {
            InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            return sender.send(file, receiver.bind(loopback).getLocalAddress());
        } finally {
            receiver.releaseExternalResources();
        }
    }
}
