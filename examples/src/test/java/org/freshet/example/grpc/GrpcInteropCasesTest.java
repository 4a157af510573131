package org.freshet.example.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.testing.Await;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * gRPC's interoperability cases, with the example as server and as client. The other side is grpc-java, and also
 * grpc-go if {@code -Dfreshet.grpc.go=FOLDER} names a folder with the programs of {@code
 * google.golang.org/grpc/interop/client} and {@code server}.
 */
class GrpcInteropCasesTest {
    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** The example's server. */
    private static final class OurServer implements AutoCloseable {
        private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
        private final HashedWheelTimer timer = new HashedWheelTimer();
        private final InetSocketAddress address;

        OurServer() {
            server.setPipelineFactory(() -> Channels.pipeline(
                    new Http2ServerHandler(() -> Channels.pipeline(new GrpcServerHandler(TestService.ours(), timer)))));
            address = (InetSocketAddress) server.bind(loopback(0)).getLocalAddress();
        }

        @Override
        public void close() {
            server.releaseExternalResources();
            timer.stop();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeTheExamplesClient(InteropCase one) throws Exception {
        try (OurServer server = new OurServer();
                TestCall.Client client = new TestClients.Ours(server.address)) {
            one.run(client);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeGrpcJava(InteropCase one) throws Exception {
        try (OurServer server = new OurServer();
                TestCall.Client client = new TestClients.Javas(server.address)) {
            one.run(client);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTalkToGrpcJava(InteropCase one) throws Exception {
        Server server = NettyServerBuilder.forAddress(loopback(0))
                .addService(TestService.javas())
                .build()
                .start();
        try (TestCall.Client client = new TestClients.Ours(loopback(server.getPort()))) {
            one.run(client);
        } finally {
            server.shutdownNow();
            assertTrue(server.awaitTermination(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
        }
    }

    // ---- grpc-go ----

    private static String goProgram(String name) {
        String folder = System.getProperty("freshet.grpc.go");
        assumeTrue(folder != null, "-Dfreshet.grpc.go names no folder");
        Path program = Path.of(folder, name);
        assumeTrue(Files.isExecutable(program), () -> program + " isn't there");
        return program.toString();
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeGrpcGo(InteropCase one) throws Exception {
        String program = goProgram("client");
        try (OurServer server = new OurServer()) {
            Process client = new ProcessBuilder(
                            program,
                            "--server_host=127.0.0.1",
                            "--server_port=" + server.address.getPort(),
                            "--test_case=" + one.argument())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, client.waitFor(), output);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTalkToGrpcGo(InteropCase one) throws Exception {
        String program = goProgram("server");
        int port = freePort();
        Process server = new ProcessBuilder(program, "--port=" + port)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            Await.until(() -> isListening(port), "grpc-go's server");
            try (TestCall.Client client = new TestClients.Ours(loopback(port))) {
                one.run(client);
            }
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    /** The program can't choose a port itself and report it. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isListening(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }
}
