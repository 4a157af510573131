package org.freshet.example.tap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.tap.WireTap;

/** Records part of a running connection, and saves it in a file for Wireshark. */
public final class TapDemo implements AutoCloseable {
    private static final String SUFFIX = ".pcapng";
    private static final long MAX_WAIT_SECONDS = 20;

    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final ClientBootstrap clients = new ClientBootstrap(new NioClientSocketChannelFactory());

    private TapDemo() {
        server.setPipelineFactory(() -> Channels.pipeline(new ParrotHandler()));
        clients.setPipelineFactory(() -> Channels.pipeline(new EarHandler(answers)));
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments("tap [FILE]", 0, 1, args);
        if (arguments.count() > 0 && !arguments.text(0).endsWith(SUFFIX)) {
            throw arguments.refuse("the file name must end in " + SUFFIX + ": " + arguments.text(0));
        }
        Path file = arguments.count() == 0 ? Files.createTempFile("tap", SUFFIX) : Path.of(arguments.text(0));
        try (TapDemo demo = new TapDemo()) {
            demo.talk(file);
        }
        System.out.println(
                Files.size(file) + " bytes are in " + file + ": open it with Wireshark, and follow the TCP stream");
        if (arguments.count() == 0) {
            Files.delete(file);
            System.out.println("(deleted; examples/run tap FILE keeps it)");
        }
    }

    private void talk(Path file) throws IOException, InterruptedException {
        Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Channel channel =
                clients.connect(bound.getLocalAddress()).awaitUninterruptibly().getChannel();
        say(channel, "this is not recorded yet");
        try (WireTap tap = WireTap.to(file).maxFileBytes(100 << 20).open()) {
            tap.attach(channel).awaitUninterruptibly();
            System.out.println("tap: attached to " + channel);
            say(channel, "this is recorded");
            say(channel, "and so is this");
            tap.detach(channel).awaitUninterruptibly();
            System.out.println("tap: detached");
            say(channel, "this is not");
        }
        channel.close().awaitUninterruptibly();
    }

    /** Returns when the answer has arrived. */
    private void say(Channel channel, String text) throws InterruptedException {
        System.out.println("  " + text);
        channel.write(ChannelBuffers.copiedBuffer(text, StandardCharsets.US_ASCII));
        StringBuilder heard = new StringBuilder();
        while (heard.length() < text.length()) {
            String part = answers.poll(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
            if (part == null) {
                throw new IllegalStateException("the server does not answer");
            }
            heard.append(part);
        }
    }

    @Override
    public void close() {
        clients.releaseExternalResources();
        server.releaseExternalResources();
    }
}
