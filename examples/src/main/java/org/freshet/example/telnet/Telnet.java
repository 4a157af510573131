package org.freshet.example.telnet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.example.Arguments;

/** Server and client in one program, over loopback. */
public final class Telnet {
    private static final String SCRIPT = String.join(
            "\n",
            "add 1 2 3",
            "add one",
            "who",
            "Grüße",
            "x".repeat(TelnetServer.MAX_LINE_BYTES + 1),
            "add 40 2",
            "bye");

    private Telnet() {}

    public static void main(String[] args) throws InterruptedException, IOException {
        new Arguments("telnet", 0, 0, args);
        System.out.println(
                "telnet: a protocol of UTF-8 lines, answered one by one; a line that is too long is refused,");
        System.out.println("and the conversation continues");
        ServerBootstrap bootstrap = TelnetServer.newBootstrap();
        boolean ok;
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            BufferedReader lines = new BufferedReader(new StringReader(SCRIPT));
            ok = TelnetClient.converse((InetSocketAddress) server.getLocalAddress(), lines, true);
        } finally {
            bootstrap.releaseExternalResources();
        }
        System.exit(ok ? 0 : 1);
    }
}
