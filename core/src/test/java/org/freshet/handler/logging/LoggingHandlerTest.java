package org.freshet.handler.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.Channels;
import org.freshet.logging.InternalLogLevel;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.logging.JdkLoggerFactory;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoggingHandlerTest {
    private final CapturedLog log = CapturedLog.start();

    @AfterEach
    void stopCapturing() {
        log.close();
    }

    private String lastText() {
        List<CapturedLog.Message> messages = log.messages();
        return messages.get(messages.size() - 1).text();
    }

    @Test
    void shouldLogBothDirectionsAndPassThemOn() {
        MemoryChannel channel = MemoryChannel.connected(new LoggingHandler());
        int before = log.messages().size();
        channel.receive("in");
        assertTrue(lastText().startsWith(channel + " RECEIVED: in"), lastText());
        channel.write("out");
        List<CapturedLog.Message> logged = log.messages();
        assertTrue(
                logged.get(before + 1).text().contains(" WRITE: out"),
                logged.get(before + 1).text());
        assertEquals(List.of("in"), channel.takeReceived());
        assertEquals(List.of("out"), channel.takeWritten());
        channel.close();
        assertTrue(lastText().contains("CLOSED"), lastText());
    }

    @Test
    void shouldAddBytesAsATable() {
        ChannelBuffer buffer = ChannelBuffers.copiedBuffer("xxGET / HTTP/1.1\r\n\r\n", StandardCharsets.US_ASCII);
        buffer.skipBytes(2);
        MemoryChannel channel = MemoryChannel.connected(new LoggingHandler());
        channel.receive(buffer);
        assertTrue(
                lastText()
                        .endsWith("\n00000000  47 45 54 20 2f 20 48 54  54 50 2f 31 2e 31 0d 0a  |GET / HTTP/1.1..|"
                                + "\n00000010  0d 0a                                             |..|"),
                lastText());
        assertEquals(2, buffer.readerIndex());
    }

    @Test
    void shouldShowEveryByteAndNoControlCharacterInTheTable() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        String[] rows = HexTable.of(ChannelBuffers.wrappedBuffer(all)).split("\n");
        assertEquals(1 + 16, rows.length);
        assertEquals("00000070  70 71 72 73 74 75 76 77  78 79 7a 7b 7c 7d 7e 7f  |pqrstuvwxyz{|}~.|", rows[8]);
        assertEquals("000000f0  f0 f1 f2 f3 f4 f5 f6 f7  f8 f9 fa fb fc fd fe ff  |................|", rows[16]);
        assertTrue(String.join("", rows).chars().allMatch(c -> c >= ' ' && c <= '~'));
    }

    @Test
    void shouldCountBytesBeyondTheDumpLimit() {
        String table = HexTable.of(ChannelBuffers.wrappedBuffer(new byte[HexTable.MAX_BYTES + 7]));
        assertTrue(table.endsWith("\n... and 7 more bytes"), table.substring(table.length() - 40));
        assertEquals(1 + HexTable.MAX_BYTES / 16, table.lines().skip(1).count());
        assertEquals("", HexTable.of(ChannelBuffers.EMPTY_BUFFER));
    }

    @Test
    void shouldOmitBytesIfConfigured() {
        MemoryChannel channel = MemoryChannel.connected(new LoggingHandler(false));
        channel.receive(ChannelBuffers.wrappedBuffer(new byte[10]));
        assertTrue(lastText().indexOf('\n') < 0, lastText());
    }

    @Test
    void shouldAddTheStackOfAnException() {
        MemoryChannel channel = MemoryChannel.connected(new LoggingHandler());
        Exception cause = new Exception("what went wrong");
        Channels.fireExceptionCaught(channel, cause);
        CapturedLog.Message message = log.messages().get(log.messages().size() - 1);
        assertSame(cause, message.cause());
        assertTrue(message.text().contains("what went wrong"), message.text());
        assertEquals(List.of(cause), channel.takeCaught());
    }

    @ParameterizedTest
    @EnumSource
    void shouldLogUnderItsNameAndLevel(InternalLogLevel level) {
        List<LoggingHandler> handlers = List.of(
                new LoggingHandler("name", level, true),
                new LoggingHandler(String.class, level, false),
                new LoggingHandler(String.class, level),
                new LoggingHandler(level, true),
                new LoggingHandler(level));
        MemoryChannel.open(handlers.toArray(LoggingHandler[]::new));
        List<CapturedLog.Message> opened = log.messages();
        String own = LoggingHandler.class.getName();
        assertEquals(
                List.of("name", "java.lang.String", "java.lang.String", own, own),
                opened.stream().map(CapturedLog.Message::logger).toList());
        assertTrue(opened.stream().allMatch(message -> message.level() == level));
    }

    @Test
    void shouldLogAtDebugByDefault() {
        List<LoggingHandler> handlers = List.of(
                new LoggingHandler(),
                new LoggingHandler(false),
                new LoggingHandler("name"),
                new LoggingHandler("name", false),
                new LoggingHandler(String.class),
                new LoggingHandler(String.class, false));
        for (LoggingHandler handler : handlers) {
            assertEquals(InternalLogLevel.DEBUG, handler.getLevel());
        }
        assertThrows(NullPointerException.class, () -> new LoggingHandler("name", null, true));
        assertThrows(NullPointerException.class, () -> new LoggingHandler((String) null));
    }

    @Test
    void shouldNotBuildTextThatIsNotLogged() {
        InternalLoggerFactory.setDefaultFactory(new JdkLoggerFactory()); // FINE is not logged
        List<String> worded = new ArrayList<>();
        Object message = new Object() {
            @Override
            public String toString() {
                worded.add("asked");
                return "message";
            }
        };
        MemoryChannel channel = MemoryChannel.connected(new LoggingHandler());
        channel.receive(message);
        assertEquals(List.of(), worded);
        assertEquals(List.of(message), channel.takeReceived());
    }

    @Test
    void shouldLetAnOverrideChoose() {
        List<ChannelEvent> chosen = new ArrayList<>();
        MemoryChannel channel = MemoryChannel.connected(new LoggingHandler() {
            @Override
            public void log(ChannelEvent e) {
                chosen.add(e);
            }
        });
        assertTrue(chosen.containsAll(channel.takeUpstream()));
        assertTrue(chosen.containsAll(channel.takeDownstream()));
        assertTrue(log.messages().isEmpty());
    }
}
