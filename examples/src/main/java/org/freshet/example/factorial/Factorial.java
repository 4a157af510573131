package org.freshet.example.factorial;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.traffic.BackPressureHandler;

/**
 * Computes a factorial: a client asks a server for the products of its parts, each on a separate connection, over
 * loopback.
 */
public final class Factorial {
    private static final int PARTS = 4;
    private static final int MAX = PARTS * FactorialServerHandler.MAX_NUMBERS;
    private static final int DEFAULT = 20_000;

    private Factorial() {}

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments("factorial [NUMBER]", 0, 1, args);
        int number = arguments.number(0, "NUMBER", PARTS, MAX, DEFAULT);
        System.out.println(
                "factorial: a binary protocol, read by a replaying decoder; " + number + "! is computed in " + PARTS);
        System.out.println("parts, each on its own connection");
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        FactorialEncoder encoder = new FactorialEncoder();
        FactorialServerHandler handler = new FactorialServerHandler();
        bootstrap.setPipelineFactory(
                () -> Channels.pipeline(new BackPressureHandler(), new FactorialDecoder(), encoder, handler));
        boolean ok;
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            BigInteger factorial = ask(server.getLocalAddress(), number);
            ok = factorial.equals(new Range(1, number).product());
            String digits = factorial.toString();
            System.out.println(number + "! has " + digits.length() + " digits, "
                    + digits.substring(0, Math.min(10, digits.length())) + "...: " + (ok ? "right" : "wrong"));
        } catch (ExecutionException e) {
            System.err.println("failed: " + e.getCause());
            ok = false;
        } finally {
            bootstrap.releaseExternalResources();
        }
        System.exit(ok ? 0 : 1);
    }

    private static BigInteger ask(SocketAddress server, int number) throws InterruptedException, ExecutionException {
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        FactorialEncoder encoder = new FactorialEncoder();
        List<FactorialClientHandler> parts = new ArrayList<>();
        try {
            for (int i = 0; i < PARTS; i++) {
                Range range = new Range(i * (number / PARTS) + 1, i == PARTS - 1 ? number : (i + 1) * (number / PARTS));
                FactorialClientHandler handler = new FactorialClientHandler(range);
                bootstrap.setPipelineFactory(() -> Channels.pipeline(new FactorialDecoder(), encoder, handler));
                bootstrap.connect(server);
                parts.add(handler);
                System.out.println("asking for the product of " + range.first() + " to " + range.last());
            }
            BigInteger product = BigInteger.ONE;
            for (FactorialClientHandler part : parts) {
                product = product.multiply(part.answer().get());
            }
            return product;
        } finally {
            bootstrap.releaseExternalResources();
        }
    }
}
