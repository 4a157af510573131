package org.freshet.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.freshet.bootstrap.ServerBootstrap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Software that was written for Netty 3 runs on Freshet when {@code org.jboss.netty} is renamed: ZooKeeper, whose server and
 * client can use either of Netty 3 and plain sockets. Its classes are taken as they were published.
 */
class MigrationTest {
    private static final String SERVER = "zookeeper.serverCnxnFactory";
    private static final String CLIENT = "zookeeper.clientCnxnSocket";

    @TempDir
    Path directory;

    @AfterEach
    void forgetTheChoices() {
        System.clearProperty(SERVER);
        System.clearProperty(CLIENT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ClientCnxnSocketNIO", "ClientCnxnSocketNetty"})
    void shouldServeZooKeepersClients(String client) throws Exception {
        System.setProperty(SERVER, "org.apache.zookeeper.server.NettyServerCnxnFactory");
        System.setProperty(CLIENT, "org.apache.zookeeper." + client);
        RenamingLoader loader = new RenamingLoader(
                getClass().getClassLoader(), "org.apache.zookeeper.", ZooKeeperExchange.class.getName());
        Object exchange = loader.loadClass(ZooKeeperExchange.class.getName())
                .getConstructor(Path.class)
                .newInstance(directory);
        assertEquals(ServerBootstrap.class.getName(), ((Callable<?>) exchange).call());
    }
}
