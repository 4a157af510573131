package org.freshet.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The published ZooKeeper: its server and client can each use Netty 3 or plain sockets. */
class ZooKeeperTest {
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
        assertEquals(DropIn.JAR, DropIn.inUse());
        System.setProperty(SERVER, "org.apache.zookeeper.server.NettyServerCnxnFactory");
        System.setProperty(CLIENT, "org.apache.zookeeper." + client);
        new ZooKeeperExchange(directory).run();
    }
}
