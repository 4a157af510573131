package org.freshet.example.buffersize;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.SharingPipelineFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.serialization.CompatibleObjectEncoder;
import org.freshet.handler.codec.string.StringDecoder;

/**
 * A server whose child options can be changed over JMX while it runs: its bootstrap is an MXBean,
 * {@value #OBJECT_NAME}, available through a connector on a separate port.
 */
public final class BufferSizeServer implements AutoCloseable {
    static final int DEFAULT_PORT = 8099;
    static final int DEFAULT_JMX_PORT = 8098;
    static final String OBJECT_NAME = "org.freshet:type=ServerBootstrap,name=buffer-size";

    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final Channel server;
    private final Registry registry;
    private final JMXConnectorServer connector;

    private BufferSizeServer(int port, int jmxPort, AnswerFormat format) throws IOException {
        SharingPipelineFactory.Builder pipelines = SharingPipelineFactory.builder()
                .add("framer", CountingFrameDecoder::new)
                .add("decoder", StringDecoder.class)
                .add("reporter", new StringReporter(format));
        if (format == AnswerFormat.OBJECTS) {
            pipelines.add("encoder", CompatibleObjectEncoder.class);
        }
        bootstrap.setPipelineFactory(pipelines.build());
        bootstrap.setOption("child.tcpNoDelay", true);
        bootstrap.registerMBean("buffer-size");
        server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        registry = LocateRegistry.createRegistry(jmxPort);
        connector = JMXConnectorServerFactory.newJMXConnectorServer(
                jmxUrl(jmxPort), null, ManagementFactory.getPlatformMBeanServer());
        connector.start();
    }

    static BufferSizeServer start(int port, int jmxPort, AnswerFormat format) throws IOException {
        return new BufferSizeServer(port, jmxPort, format);
    }

    static JMXServiceURL jmxUrl(int jmxPort) throws IOException {
        return new JMXServiceURL("service:jmx:rmi:///jndi/rmi://localhost:" + jmxPort + "/jmxrmi");
    }

    int port() {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    @Override
    public void close() throws IOException {
        connector.stop();
        UnicastRemoteObject.unexportObject(registry, true);
        server.close().awaitUninterruptibly();
        bootstrap.releaseExternalResources();
    }

    public static void main(String[] args) {
        AnswerFormat format = AnswerFormat.chosenBy(args);
        Arguments arguments = new Arguments("buffer-size-server [--raw] [PORT [JMX_PORT]]", 0, 2, format.rest(args));
        int jmxPort = arguments.port(1, DEFAULT_JMX_PORT);
        try {
            BufferSizeServer running = start(arguments.port(0, DEFAULT_PORT), jmxPort, format);
            System.out.println("serving on port " + running.port() + ", JMX on " + jmxPort + "; stop with Ctrl+C");
        } catch (ChannelException | IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}
