package org.freshet.example.websocketecho;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import org.freshet.example.Arguments;

/** Server and client in one program, over loopback. */
public final class WebSocketEcho {
    private WebSocketEcho() {}

    public static void main(String[] args) throws InterruptedException {
        new Arguments("websocket-echo", 0, 0, args);
        System.out.println("websocket-echo: messages of all kinds, and the closing handshake");
        boolean ok;
        try (WebSocketEchoServer server = new WebSocketEchoServer()) {
            InetSocketAddress address =
                    (InetSocketAddress) server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            ok = new WebSocketEchoClient(URI.create("ws://localhost:" + address.getPort() + "/echo")).converse();
        }
        System.out.println(ok ? "every message came back: right" : "wrong");
        System.exit(ok ? 0 : 1);
    }
}
