package org.freshet.testing.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.FixedReceiveBufferSizePredictor;
import org.freshet.channel.FixedReceiveBufferSizePredictorFactory;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.ReceiveBufferSizePredictorFactory;
import org.freshet.channel.socket.DatagramChannelConfig;
import org.junit.jupiter.api.Test;

/** The contract for the options of a UDP socket in every transport. */
public abstract class DatagramConfigContract<C extends DatagramChannelConfig> extends ConfigContract<C> {
    protected DatagramConfigContract() {}

    @Override
    protected void describeSettings() {
        setting(
                ChannelOption.SEND_BUFFER_SIZE,
                20_000,
                30_000,
                DatagramChannelConfig::getSendBufferSize,
                DatagramChannelConfig::setSendBufferSize,
                StandardSocketOptions.SO_SNDBUF);
        setting(
                ChannelOption.RECEIVE_BUFFER_SIZE,
                20_000,
                30_000,
                DatagramChannelConfig::getReceiveBufferSize,
                DatagramChannelConfig::setReceiveBufferSize,
                StandardSocketOptions.SO_RCVBUF);
        setting(
                ChannelOption.TRAFFIC_CLASS,
                0x10,
                0x08,
                DatagramChannelConfig::getTrafficClass,
                DatagramChannelConfig::setTrafficClass,
                StandardSocketOptions.IP_TOS);
        setting(
                ChannelOption.REUSE_ADDRESS,
                true,
                false,
                DatagramChannelConfig::isReuseAddress,
                DatagramChannelConfig::setReuseAddress,
                StandardSocketOptions.SO_REUSEADDR);
        setting(
                ChannelOption.REUSE_PORT,
                true,
                false,
                config -> config.getOption(ChannelOption.REUSE_PORT),
                (config, isReused) -> config.setOption(ChannelOption.REUSE_PORT, isReused),
                StandardSocketOptions.SO_REUSEPORT);
        setting(
                ChannelOption.BROADCAST,
                false,
                true,
                DatagramChannelConfig::isBroadcast,
                DatagramChannelConfig::setBroadcast,
                StandardSocketOptions.SO_BROADCAST);
        setting(new Setting<>(
                ChannelOption.LOOPBACK_MODE_DISABLED,
                true,
                false,
                DatagramChannelConfig::isLoopbackModeDisabled,
                DatagramChannelConfig::setLoopbackModeDisabled,
                StandardSocketOptions.IP_MULTICAST_LOOP,
                disabled -> !disabled));
        setting(
                ChannelOption.TIME_TO_LIVE,
                9,
                255,
                DatagramChannelConfig::getTimeToLive,
                DatagramChannelConfig::setTimeToLive,
                StandardSocketOptions.IP_MULTICAST_TTL);
        setting(
                ChannelOption.NETWORK_INTERFACE,
                loopback(),
                loopback(),
                DatagramChannelConfig::getNetworkInterface,
                DatagramChannelConfig::setNetworkInterface,
                StandardSocketOptions.IP_MULTICAST_IF);
        setting(new Setting<>(
                ChannelOption.INTERFACE,
                firstAddress(),
                firstAddress(),
                DatagramChannelConfig::getInterface,
                DatagramChannelConfig::setInterface,
                StandardSocketOptions.IP_MULTICAST_IF,
                address -> loopback()));
    }

    @Override
    protected Set<String> furtherKeys() {
        return Set.of(
                "bufferFactory",
                "pipelineFactory",
                "connectTimeoutMillis",
                "receiveBufferSizePredictor",
                "receiveBufferSizePredictorFactory");
    }

    private static NetworkInterface loopback() {
        try {
            return NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        } catch (SocketException e) {
            throw new AssertionError("no loopback interface", e);
        }
    }

    private static InetAddress firstAddress() {
        return loopback().inetAddresses().findFirst().orElseThrow();
    }

    @Test
    void shouldFindTheInterfaceByNameAndByAddress() {
        assertTrue(config.setOption("networkInterface", loopback().getName()));
        assertEquals(loopback(), config.getNetworkInterface());
        assertTrue(config.setOption("interface", "127.0.0.1"));
        assertEquals(loopback(), config.getNetworkInterface());
    }

    @Test
    void shouldRefuseAnAddressOfNoInterface() {
        assertOutOfRange(
                "interface: /192.0.2.1 (allowed: an address of a network interface)",
                config -> config.setOption("interface", "192.0.2.1"));
    }

    @Test
    void shouldRefuseValuesOutOfRange() {
        assertOutOfRange("timeToLive: 256 (allowed: 0 to 255)", config -> config.setTimeToLive(256));
        assertOutOfRange("trafficClass: -1 (allowed: 0 to 255)", config -> config.setTrafficClass(-1));
    }

    @Test
    void shouldCreateThePredictorOnceWithTheFactory() {
        ReceiveBufferSizePredictor predictor = config.getReceiveBufferSizePredictor();
        assertEquals(768, predictor.nextReceiveBufferSize());
        assertSame(predictor, config.getReceiveBufferSizePredictor());
        assertInstanceOf(FixedReceiveBufferSizePredictorFactory.class, config.getReceiveBufferSizePredictorFactory());
    }

    @Test
    void shouldUseAFactorySetLater() {
        ReceiveBufferSizePredictor before = config.getReceiveBufferSizePredictor();
        ReceiveBufferSizePredictorFactory factory = new FixedReceiveBufferSizePredictorFactory(2000);
        assertTrue(config.setOption(ChannelOption.RECEIVE_BUFFER_SIZE_PREDICTOR_FACTORY, factory));
        assertSame(factory, config.getReceiveBufferSizePredictorFactory());
        assertNotSame(before, config.getReceiveBufferSizePredictor());
        assertEquals(2000, config.getReceiveBufferSizePredictor().nextReceiveBufferSize());
    }

    @Test
    void shouldPreferAPredictorToAFactoryInEitherOrder() {
        ReceiveBufferSizePredictor predictor = new FixedReceiveBufferSizePredictor(1);
        ReceiveBufferSizePredictorFactory factory = new FixedReceiveBufferSizePredictorFactory(2);
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("receiveBufferSizePredictor", predictor);
        options.put("receiveBufferSizePredictorFactory", factory);
        config.setOptions(options);
        assertSame(predictor, config.getReceiveBufferSizePredictor());
        assertSame(factory, config.getReceiveBufferSizePredictorFactory());
    }

    @Test
    void shouldNameTheFactoryThatCreatedNoPredictor() {
        Exception cause = new Exception("no");
        config.setReceiveBufferSizePredictorFactory(() -> {
            throw cause;
        });
        ChannelException e = assertThrows(ChannelException.class, config::getReceiveBufferSizePredictor);
        assertSame(cause, e.getCause());
        assertThrows(NullPointerException.class, () -> config.setReceiveBufferSizePredictor(null));
        assertThrows(NullPointerException.class, () -> config.setReceiveBufferSizePredictorFactory(null));
    }
}
