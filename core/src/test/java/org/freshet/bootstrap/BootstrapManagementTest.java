package org.freshet.bootstrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelOption;
import org.freshet.internal.metering.TrafficMeter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BootstrapManagementTest {
    private static final SocketAddress LOCAL = new InetSocketAddress("127.0.0.1", 80);

    private final MBeanServer jmx = ManagementFactory.getPlatformMBeanServer();
    private final FakeTransport transport = new FakeTransport();
    private final ServerBootstrap bootstrap = new ServerBootstrap(transport.serverFactory());

    @AfterEach
    void endRegistration() {
        bootstrap.shutdown();
    }

    private BootstrapMXBean proxy(BootstrapRegistration registration) {
        return JMX.newMXBeanProxy(jmx, registration.objectName(), BootstrapMXBean.class);
    }

    @Test
    void shouldBeFoundByTypeAndName() throws Exception {
        BootstrapRegistration registration = bootstrap.registerMBean("front");
        assertEquals(new ObjectName("org.freshet:type=ServerBootstrap,name=front"), registration.objectName());
        assertTrue(jmx.isRegistered(registration.objectName()));
        assertEquals(
                transport.serverFactory().getClass().getName(),
                proxy(registration).getFactory());
        registration.close();
        assertFalse(jmx.isRegistered(registration.objectName()));
        registration.close();
    }

    @Test
    void shouldNameEachTypeOfBootstrap() {
        for (Bootstrap other : List.of(new ClientBootstrap(), new ConnectionlessBootstrap(), new Bootstrap())) {
            try (BootstrapRegistration registration = other.registerMBean("other")) {
                String type = registration.objectName().getKeyProperty("type");
                assertEquals(other.getClass().getSimpleName(), type);
                assertEquals("", proxy(registration).getFactory());
            }
        }
    }

    @Test
    void shouldQuoteNamesThatNeedIt() {
        for (String name : List.of("a,b=c", "", "what?", "*", "::1:80")) {
            try (BootstrapRegistration registration = bootstrap.registerMBean(name)) {
                assertEquals(ObjectName.quote(name), registration.objectName().getKeyProperty("name"));
            }
        }
    }

    @Test
    void shouldBeRegisteredOnceAndUnderAnUnusedName() {
        BootstrapRegistration registration = bootstrap.registerMBean("front");
        assertThrows(IllegalStateException.class, () -> bootstrap.registerMBean("again"));
        ServerBootstrap other = new ServerBootstrap();
        assertThrows(IllegalStateException.class, () -> other.registerMBean("front"));
        other.registerMBean("back").close(); // after the refusal it is free to try another name
        registration.close();
        bootstrap.registerMBean("front").close();
    }

    @Test
    void shouldEndItsRegistrationWithTheBootstrap() {
        BootstrapRegistration registration = bootstrap.registerMBean("front");
        bootstrap.releaseExternalResources();
        assertFalse(jmx.isRegistered(registration.objectName()));
    }

    @Test
    void shouldReadAndSetOptionsAsText() throws Exception {
        bootstrap.setOption("backlog", 5);
        BootstrapRegistration registration = bootstrap.registerMBean("front");
        BootstrapMXBean bean = proxy(registration);
        bean.setOption("child.tcpNoDelay", "yes");
        bean.setOption("child.connectTimeoutMillis", "77");
        assertEquals(
                Map.of("backlog", "5", "child.tcpNoDelay", "yes", "child.connectTimeoutMillis", "77"),
                bean.getOptions());
        assertEquals(true, bootstrap.getChildOption(ChannelOption.TCP_NODELAY));
        bean.removeOption("child.tcpNoDelay");
        assertNull(bootstrap.getChildOption(ChannelOption.TCP_NODELAY));

        FakeTransport.FakeServerChannel server = (FakeTransport.FakeServerChannel) bootstrap.bind(LOCAL);
        assertEquals(77, server.accept().getConfig().getConnectTimeoutMillis());
        bean.setOption("child.connectTimeoutMillis", "78");
        assertEquals(78, server.accept().getConfig().getConnectTimeoutMillis());
    }

    @Test
    void shouldCheckTypeAndRangeAsTheApiDoes() throws Exception {
        BootstrapRegistration registration = bootstrap.registerMBean("front");
        BootstrapMXBean bean = proxy(registration);
        assertRefused(
                "child.connectTimeoutMillis: \"-1\" (allowed: a whole number, 0 or more)",
                bean,
                "child.connectTimeoutMillis",
                "-1");
        assertRefused("backlog: \"x\" (allowed: a whole number, 0 or more)", bean, "backlog", "x");
        assertRefused(
                "unknown option: \"child.tcpNodely\"; did you mean \"child.tcpNoDelay\"?",
                bean,
                "child.tcpNodely",
                "true");
        assertEquals(Map.of(), bean.getOptions());
        RuntimeMBeanException e = assertThrows(
                RuntimeMBeanException.class,
                () -> jmx.invoke(registration.objectName(), "setOption", new Object[] {"backlog", "x"}, new String[] {
                    String.class.getName(), String.class.getName()
                }));
        assertInstanceOf(IllegalArgumentException.class, e.getCause());

        bootstrap.setOption("ofTheUser", "1");
        bean.setOption("ofTheUser", "2");
        assertEquals("2", bootstrap.getOption("ofTheUser"));
    }

    private static void assertRefused(String message, BootstrapMXBean bean, String key, String value) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> bean.setOption(key, value))
                        .getMessage());
    }

    @Test
    void shouldShowBoundAddresses() throws Exception {
        Channel server = bootstrap.bind(LOCAL);
        BootstrapRegistration registration = bootstrap.registerMBean("front");
        assertArrayEquals(new String[] {LOCAL.toString()}, (String[])
                jmx.getAttribute(registration.objectName(), "BoundAddresses"));
        server.close();
        assertEquals(List.of(), proxy(registration).getBoundAddresses());
    }

    @Test
    void shouldCountConnectionsAndBytesWhileRegistered() throws Exception {
        FakeTransport.FakeServerChannel server = (FakeTransport.FakeServerChannel) bootstrap.bind(LOCAL);
        Channel before = server.accept();
        assertEquals(List.of(), before.getPipeline().getNames(), "nothing is counted before the registration");

        BootstrapRegistration registration = bootstrap.registerMBean("front");
        BootstrapMXBean bean = proxy(registration);
        Channel one = server.accept();
        Channel two = server.accept();
        TrafficMeter.read(one, 7);
        TrafficMeter.read(two, 3);
        TrafficMeter.written(two, 100);
        TrafficMeter.written(before, 1000);
        two.close();
        assertEquals(1, bean.getOpenConnections());
        assertEquals(2, bean.getAcceptedConnections());
        assertEquals(Map.of("LOCAL", 1L), bean.getClosedByReason());
        assertEquals(10, bean.getBytesRead());
        assertEquals(100, bean.getBytesWritten());

        registration.close();
        assertEquals(List.of(), server.accept().getPipeline().getNames());
    }

    @Test
    void shouldCountTheConnectionsOfAClient() {
        ClientBootstrap client = new ClientBootstrap(transport.clientFactory());
        try (BootstrapRegistration registration = client.registerMBean("client")) {
            Channel channel = client.connect(LOCAL).getChannel();
            TrafficMeter.read(channel, 5);
            BootstrapMXBean bean = proxy(registration);
            assertEquals(1, bean.getOpenConnections());
            assertEquals(1, bean.getAcceptedConnections());
            assertEquals(5, bean.getBytesRead());
        }
    }
}
