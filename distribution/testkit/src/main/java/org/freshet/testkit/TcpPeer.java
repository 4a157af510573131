package org.freshet.testkit;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Predicate;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.testkit.simulation.Draw;
import org.freshet.testkit.simulation.Watch;

/** A peer that sends and expects bytes. See {@link Peer} for the rules. Texts are UTF-8. */
public final class TcpPeer extends Peer<TcpPeer> {
    private static final int SHOWN_BYTES = 64;

    private final ChannelBuffer received = ChannelBuffers.dynamicBuffer();

    TcpPeer(SimulatedNetwork network, Watch watch) {
        super(network, watch);
    }

    @Override
    TcpPeer self() {
        return this;
    }

    @Override
    void addHandlers(ChannelPipeline pipeline) {}

    @Override
    void onMessage(Object message) {
        received.discardReadBytes();
        received.writeBytes((ChannelBuffer) message);
    }

    @Override
    String received() {
        return shown(received);
    }

    private static String shown(ChannelBuffer bytes) {
        if (!bytes.readable()) {
            return "";
        }
        int shown = Math.min(bytes.readableBytes(), SHOWN_BYTES);
        String text = Shown.of(bytes.toString(bytes.readerIndex(), shown, StandardCharsets.UTF_8));
        return bytes.readableBytes() + " bytes: \"" + text + (shown < bytes.readableBytes() ? "\"..." : "\"");
    }

    // ---- sending ----------------------------------------------------------------------------------------------------

    /** Sends a text, in pieces chosen by the seed. */
    public TcpPeer send(String text) {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends bytes, in pieces chosen by the seed. */
    public TcpPeer send(byte... bytes) {
        return step("send", () -> {
            Draw draw = network().draw();
            for (int sent = 0; sent < bytes.length; ) {
                int count = draw.oneIn(3) ? draw.between(1, bytes.length - sent) : bytes.length - sent;
                write(bytes, sent, count);
                sent += count;
            }
            return true;
        });
    }

    /** Sends a text one byte at a time. */
    public TcpPeer sendByteByByte(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return step("sendByteByByte", () -> {
            for (int i = 0; i < bytes.length; i++) {
                write(bytes, i, 1);
            }
            return true;
        });
    }

    private void write(byte[] bytes, int from, int count) {
        channel().write(ChannelBuffers.copiedBuffer(bytes, from, count));
    }

    /** Ends its output, and continues receiving. */
    public TcpPeer halfClose() {
        return step("halfClose", () -> {
            Channels.shutdownOutput(channel());
            return true;
        });
    }

    // ---- receiving --------------------------------------------------------------------------------------------------

    /** Waits for exactly this text. */
    public TcpPeer expect(String text) {
        return expect(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Waits for exactly these bytes. */
    public TcpPeer expect(byte... bytes) {
        ChannelBuffer expected = ChannelBuffers.wrappedBuffer(bytes);
        return step(shown(expected), () -> {
            int common = Math.min(received.readableBytes(), bytes.length);
            if (!received.slice(received.readerIndex(), common).equals(expected.slice(0, common))) {
                fail("expected " + shown(expected) + ", but received " + shown(received));
            }
            return take(bytes.length);
        });
    }

    /** Waits for this number of bytes, whatever they are. */
    public TcpPeer skip(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("count < 0: " + count);
        }
        return step(count + " bytes", () -> take(count));
    }

    /**
     * Waits until the text received since the last step satisfies a condition.
     *
     * @param condition also called with incomplete text
     */
    public TcpPeer expectText(Predicate<String> condition) {
        Objects.requireNonNull(condition, "condition");
        return step(
                "a text that satisfies the condition",
                () -> condition.test(received.toString(StandardCharsets.UTF_8)) && take(received.readableBytes()));
    }

    private boolean take(int count) {
        if (received.readableBytes() < count) {
            return false;
        }
        received.skipBytes(count);
        return true;
    }
}
