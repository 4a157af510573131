package org.freshet.example.behindbalancer;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ByteString;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolHeader;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolTlv;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolVersion;

/** A server and a load balancer in front of it, in one program. */
public final class BehindBalancer {
    private static final InetSocketAddress SERVICE = new InetSocketAddress("198.51.100.1", 443);
    private static final InetSocketAddress ANN = new InetSocketAddress("203.0.113.7", 4711);
    private static final InetSocketAddress BOB = new InetSocketAddress("203.0.113.8", 4712);
    private static final int SECONDS = 10;

    private BehindBalancer() {}

    public static void main(String[] args) throws Exception {
        new Arguments("behind-balancer", 0, 0, args);
        boolean isRight;
        try (BalancedServer server = new BalancedServer(0);
                Balancer balancer = new Balancer(server.address())) {
            String ann = ask(balancer, ProxyProtocolVersion.V1, ProxyProtocolHeader.proxied(ANN, SERVICE));
            String bob = ask(
                    balancer,
                    ProxyProtocolVersion.V2,
                    ProxyProtocolHeader.proxied(BOB, SERVICE)
                            .withTlv(ProxyProtocolTlv.AUTHORITY, ByteString.ascii("service.example")));
            isRight = ann.startsWith("you are /203.0.113.7:4711, ") && bob.endsWith(" asked for service.example");
            for (int more = 1; more <= BalancedServer.MAX_PER_CLIENT; more++) {
                String answer = ask(balancer, ProxyProtocolVersion.V2, ProxyProtocolHeader.proxied(ANN, SERVICE));
                isRight &= answer.equals("no answer") == (more == BalancedServer.MAX_PER_CLIENT);
            }
        }
        System.out.println("each client is known and counted by its own address: " + (isRight ? "right" : "wrong"));
        System.exit(isRight ? 0 : 1);
    }

    private static String ask(Balancer balancer, ProxyProtocolVersion version, ProxyProtocolHeader header)
            throws Exception {
        String answer = balancer.ask(version, header).get(SECONDS, TimeUnit.SECONDS);
        String text = answer == null ? "no answer" : answer;
        System.out.println(header.source() + " with " + version + ": " + text);
        return text;
    }
}
