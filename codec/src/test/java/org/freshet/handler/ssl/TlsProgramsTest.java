package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.ssl.Bytes.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Over sockets with curl and openssl, if installed. */
@Tag("crypto")
@ParameterizedClass
@EnumSource(Transport.class)
class TlsProgramsTest extends TlsSockets {
    TlsProgramsTest(Transport transport) {
        super(transport);
    }

    @Test
    void shouldServeCurl() throws Exception {
        assumeInstalled("curl");
        Channel server = serve(Certificates.server(), new OnePage());
        String page = run(
                "",
                "curl",
                "--silent",
                "--show-error",
                "--max-time",
                "20",
                "--cacert",
                Certificates.LOCALHOST.certificate().getPath(),
                "https://localhost:" + port(server) + "/");
        assertEquals(OnePage.BODY, page);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void shouldServeOpenssl(String protocol) throws Exception {
        assumeInstalled("openssl");
        Channel server = serve(Certificates.server(), new OnePage());
        String output = run(
                "GET / HTTP/1.0\r\n\r\n",
                "openssl",
                "s_client",
                protocol,
                "-quiet",
                "-verify_return_error",
                "-verify_hostname",
                "localhost",
                "-CAfile",
                Certificates.LOCALHOST.certificate().getPath(),
                "-connect",
                "localhost:" + port(server));
        assertTrue(output.endsWith(OnePage.BODY), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void shouldAskOpensslForACertificate(String protocol) throws Exception {
        assumeInstalled("openssl");
        SslContextBuilder asking =
                Certificates.server().trust(Certificates.OTHER.cert()).clientAuth(ClientAuth.REQUIRE);
        Channel server = serve(asking, new OnePage());
        String output = run(
                "GET / HTTP/1.0\r\n\r\n",
                "openssl",
                "s_client",
                protocol,
                "-quiet",
                "-cert",
                Certificates.OTHER.certificate().getPath(),
                "-key",
                Certificates.OTHER.privateKey().getPath(),
                "-connect",
                "localhost:" + port(server));
        assertTrue(output.endsWith(OnePage.BODY), output);
        assertEquals(
                Certificates.OTHER.cert(),
                accepted.remove().getEngine().getSession().getPeerCertificates()[0]);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void shouldTalkToOpenssl(String protocol) throws Exception {
        assumeInstalled("openssl");
        Process process = new ProcessBuilder(
                        "openssl",
                        "s_server",
                        protocol,
                        "-rev", // answers each line reversed
                        "-accept",
                        "127.0.0.1:0",
                        "-cert",
                        Certificates.LOCALHOST.certificate().getPath(),
                        "-key",
                        Certificates.LOCALHOST.privateKey().getPath())
                .redirectErrorStream(true)
                .start();
        try {
            Lines lines = new Lines();
            SslHandler handler = Certificates.client().build().newHandler("localhost", 1);
            Channel client = connect(opensslPort(process), handler, lines);
            Await.success(handler.handshake(), "a handshake");
            client.write(ChannelBuffers.copiedBuffer("stressed\n", US_ASCII));
            assertEquals("desserts", lines.next());
            Await.success(client.close(), "a close");
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    private static int opensslPort(Process process) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = process.getInputStream().read();
                c >= 0;
                c = process.getInputStream().read()) {
            line.append((char) c);
            if (c == '\n') {
                String text = line.toString().trim();
                if (text.startsWith("ACCEPT")) {
                    return Integer.parseInt(text.substring(text.lastIndexOf(':') + 1));
                }
                line.setLength(0);
            }
        }
        throw new AssertionError("openssl did not listen: " + line);
    }

    private static void assumeInstalled(String program) {
        boolean installed = false;
        for (String directory : System.getenv("PATH").split(File.pathSeparator)) {
            installed |= new File(directory, program).canExecute();
        }
        assumeTrue(installed, program + " is not installed");
    }

    /** Runs a program that exits by itself. */
    private static String run(String input, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            process.getOutputStream().write(input.getBytes(US_ASCII));
            process.getOutputStream().flush(); // not closed, because that would end openssl before the answer
            ByteArrayOutputStream output = new ByteArrayOutputStream();
            process.getInputStream().transferTo(output);
            assertTrue(process.waitFor(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS), command[0] + " did not exit");
            return output.toString(ISO_8859_1);
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }
}
