package org.freshet.handler.codec.stomp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.stomp.DefaultStompFrame;
import io.netty.handler.codec.stomp.StompSubframeAggregator;
import io.netty.handler.codec.stomp.StompSubframeDecoder;
import io.netty.handler.codec.stomp.StompSubframeEncoder;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Netty 4.2 reads Freshet's frames and vice versa, with the same headers and content. */
class Netty4StompTest {
    private static final int FRAMES = 1000;
    private static final String ALPHABET = "abc :\\\näß€/";
    private static final StompCommand[] COMMANDS = {
        StompCommand.SEND, StompCommand.MESSAGE, StompCommand.ERROR, StompCommand.SUBSCRIBE, StompCommand.CONNECT
    };

    private final Random random = Seeds.random();

    /** The command, names and values in order, and finally the content; without content-length. */
    private String[] randomFrame(StompCommand command) {
        int headers = random.nextInt(8);
        String[] texts = new String[2 * headers + 1];
        String alphabet = command.opensConnection() ? "abc /" : ALPHABET;
        for (int i = 0; i < 2 * headers; i += 2) {
            texts[i] = "n" + i + randomText(alphabet);
            texts[i + 1] = "v" + randomText(alphabet);
        }
        texts[2 * headers] = command.mayHaveContent() ? randomText("abc\n:\\ß").repeat(random.nextInt(300)) : "";
        return texts;
    }

    private String randomText(String alphabet) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(10); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    @Test
    void shouldBeReadByNetty() {
        for (int i = 0; i < FRAMES; i++) {
            StompCommand command = COMMANDS[random.nextInt(COMMANDS.length)];
            String[] texts = randomFrame(command);
            byte[] content = texts[texts.length - 1].getBytes(UTF_8);
            StompFrame frame = new StompFrame(command);
            for (int h = 0; h < texts.length - 1; h += 2) {
                frame.headers().add(texts[h], texts[h + 1]);
            }
            if (random.nextBoolean()) {
                frame.headers().add(StompHeaders.CONTENT_LENGTH, "" + content.length);
            }
            frame.setContent(ChannelBuffers.wrappedBuffer(content));
            MemoryChannel writer = MemoryChannel.connected(new StompFrameEncoder());
            assertTrue(writer.write(frame).isSuccess());
            EmbeddedChannel reader =
                    new EmbeddedChannel(new StompSubframeDecoder(), new StompSubframeAggregator(1 << 20));
            for (Object buffer : writer.takeWritten()) {
                byte[] bytes = new byte[((ChannelBuffer) buffer).readableBytes()];
                ((ChannelBuffer) buffer).getBytes(((ChannelBuffer) buffer).readerIndex(), bytes);
                reader.writeInbound(Unpooled.wrappedBuffer(bytes));
            }
            io.netty.handler.codec.stomp.StompFrame read = reader.readInbound();
            assertEquals(command.name(), read.command().name());
            for (int h = 0; h < texts.length - 1; h += 2) {
                assertEquals(texts[h + 1], read.headers().getAsString(texts[h]), frame.toString());
            }
            assertEquals(texts[texts.length - 1], read.content().toString(UTF_8));
            read.release();
            reader.finishAndReleaseAll();
        }
    }

    @Test
    void shouldReadFramesFromNetty() {
        for (int i = 0; i < FRAMES; i++) {
            StompCommand command = COMMANDS[random.nextInt(COMMANDS.length)];
            String[] texts = randomFrame(command);
            byte[] content = texts[texts.length - 1].getBytes(UTF_8);
            DefaultStompFrame frame = new DefaultStompFrame(
                    io.netty.handler.codec.stomp.StompCommand.valueOf(command.name()), Unpooled.wrappedBuffer(content));
            for (int h = 0; h < texts.length - 1; h += 2) {
                frame.headers().add(texts[h], texts[h + 1]);
            }
            if (random.nextBoolean()) {
                frame.headers().add("content-length", "" + content.length);
            }
            EmbeddedChannel writer = new EmbeddedChannel(new StompSubframeEncoder());
            writer.writeOutbound(frame);
            MemoryChannel reader = MemoryChannel.connected(
                    new StompFrameDecoder(1024, 128, 100, 1 << 20), new StompFrameAggregator(1 << 20));
            for (ByteBuf part = writer.readOutbound(); part != null; part = writer.readOutbound()) {
                byte[] bytes = new byte[part.readableBytes()];
                part.readBytes(bytes).release();
                reader.receive(ChannelBuffers.wrappedBuffer(bytes));
            }
            StompFrame read = (StompFrame) reader.takeReceived().get(0);
            assertEquals(command, read.command());
            for (int h = 0; h < texts.length - 1; h += 2) {
                assertEquals(texts[h + 1], read.headers().get(texts[h]), read.toString());
            }
            assertEquals(texts[texts.length - 1], read.content().toString(UTF_8));
        }
    }
}
