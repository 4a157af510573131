package org.freshet.handler.codec.stomp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.timeout.ReadTimeoutException;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StompHeartBeatHandlerTest {
    private final FakeTimer timer = new FakeTimer();

    private MemoryChannel channel(int sendMillis, int expectMillis) {
        return MemoryChannel.connected(
                new StompFrameDecoder(),
                new StompFrameEncoder(),
                new StompHeartBeatHandler(
                        timer, Duration.ofMillis(sendMillis), Duration.ofMillis(expectMillis), timer::nanos));
    }

    /** A server that has answered a client with this header. */
    private MemoryChannel server(int sendMillis, int expectMillis, String clientHeader) {
        MemoryChannel channel = channel(sendMillis, expectMillis);
        receive(channel, "CONNECT\naccept-version:1.2\nheart-beat:" + clientHeader + "\n\n^");
        write(channel, StompCommand.CONNECTED);
        channel.takeWritten();
        channel.takeReceived();
        return channel;
    }

    private static void write(MemoryChannel channel, StompCommand command) {
        StompFrame frame = new StompFrame(command);
        if (command == StompCommand.CONNECTED) {
            frame.headers().set(StompHeaders.VERSION, "1.2");
        }
        channel.write(frame);
    }

    private static void receive(MemoryChannel channel, String text) {
        channel.receive(ChannelBuffers.wrappedBuffer(StompText.wire(text)));
    }

    private static String written(MemoryChannel channel) {
        List<String> texts = new ArrayList<>();
        for (Object buffer : channel.takeWritten()) {
            texts.add(StompText.wire((ChannelBuffer) buffer));
        }
        return String.join("", texts);
    }

    @Test
    void shouldOfferItsIntervalsInTheFrameThatOpens() {
        MemoryChannel channel = channel(1000, 2000);
        write(channel, StompCommand.CONNECT);
        assertEquals("CONNECT\nheart-beat:1000,2000\n\n^", written(channel));
        write(channel, StompCommand.CONNECTED);
        assertEquals("CONNECTED\nversion:1.2\nheart-beat:1000,2000\n\n^", written(channel));
    }

    @Test
    void shouldKeepAHeaderThatIsSetAndAddNoneToVersion10() {
        MemoryChannel channel = channel(1000, 2000);
        StompFrame connect = new StompFrame(StompCommand.STOMP);
        connect.headers().set(StompHeaders.HEART_BEAT, "5,6");
        channel.write(connect);
        assertEquals("STOMP\nheart-beat:5,6\n\n^", written(channel));
        channel.write(new StompFrame(StompCommand.CONNECTED));
        assertEquals("CONNECTED\n\n^", written(channel));
        receive(channel, "CONNECT\nheart-beat:1000,1000\n\n^");
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldSendABeatWhenNothingWasSentForThreeQuartersOfTheLongerInterval() {
        MemoryChannel server = server(1000, 0, "0,2000");
        timer.advanceMillis(1499);
        assertEquals("", written(server));
        timer.advanceMillis(1);
        assertEquals("\n", written(server));
        timer.advanceMillis(1500);
        assertEquals("\n", written(server));
        timer.advanceMillis(1000);
        write(server, StompCommand.RECEIPT);
        assertEquals("RECEIPT\n\n^", written(server));
        timer.advanceMillis(1499);
        assertEquals("", written(server));
        timer.advanceMillis(1);
        assertEquals("\n", written(server));
    }

    @Test
    void shouldSendNoSecondBeatWhileOneIsQueued() {
        MemoryChannel server = server(1000, 0, "0,1000").holdWrites();
        timer.advanceMillis(5000);
        assertEquals(1, server.unansweredWrites());
        server.completeWrites();
        timer.advanceMillis(1000);
        assertEquals(1, server.unansweredWrites());
    }

    @Test
    void shouldSendNoBeatWithinAChunkedFrame() {
        MemoryChannel server = server(1000, 0, "0,1000");
        server.write(new StompFrame(StompCommand.MESSAGE).setChunked(true));
        timer.advanceMillis(5000);
        server.write(new StompChunk(ChannelBuffers.wrappedBuffer(new byte[] {'a'})));
        timer.advanceMillis(5000);
        server.write(StompChunk.LAST);
        assertEquals("MESSAGE\n\na^", written(server));
        timer.advanceMillis(750);
        assertEquals("\n", written(server));
    }

    @Test
    void shouldContinueAfterAChunkedFrameThatCouldNotBeWritten() {
        MemoryChannel server = server(1000, 0, "0,1000");
        StompFrame bad = new StompFrame(StompCommand.ACK).setChunked(true);
        assertTrue(server.write(bad).getCause() instanceof IllegalArgumentException);
        timer.advanceMillis(750);
        assertEquals("\n", written(server));
    }

    @Test
    void shouldReportOnceThatThePeerIsSilent() {
        MemoryChannel client = channel(0, 1000);
        write(client, StompCommand.CONNECT);
        receive(client, "CONNECTED\nversion:1.2\nheart-beat:500,0\n\n^");
        timer.advanceMillis(900);
        receive(client, "\n");
        timer.advanceMillis(2000);
        assertEquals(List.of(), client.takeCaught());
        timer.advanceMillis(100);
        List<Throwable> caught = client.takeCaught();
        assertEquals(1, caught.size(), caught.toString());
        assertTrue(caught.get(0) instanceof ReadTimeoutException, caught.toString());
        assertEquals(
                "no heart-beat from the peer for 2 intervals of 1000 ms",
                caught.get(0).getMessage());
        timer.advanceMillis(10_000);
        assertEquals(List.of(), client.takeCaught());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldCountEveryByteAndNotASuspendedReader() {
        MemoryChannel client = channel(0, 1000);
        write(client, StompCommand.CONNECT);
        receive(client, "CONNECTED\nversion:1.2\nheart-beat:500,0\n\n^");
        for (int i = 0; i < 10; i++) {
            receive(client, i == 0 ? "MESSAGE\n\n" : "a"); // never complete
            timer.advanceMillis(1000);
        }
        client.setReadable(false);
        timer.advanceMillis(10_000);
        assertEquals(List.of(), client.takeCaught());
        client.setReadable(true);
        timer.advanceMillis(2000);
        assertEquals(1, client.takeCaught().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0,0", "1000,0", "0,1000"})
    void shouldNotWatchWhatOneSideDoesNotWant(String clientHeader) {
        server(clientHeader.startsWith("0") ? 0 : 1000, clientHeader.endsWith(",0") ? 0 : 1000, clientHeader);
        assertEquals(0, timer.pendingTimeouts());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1,", ",1", "a,b", "-1,0", "1,2,3", "1, 2", "9999999999,1"})
    void shouldRefuseAMalformedHeaderFromThePeer(String header) {
        MemoryChannel server = channel(1000, 1000);
        receive(server, "CONNECT\nheart-beat:" + header + "\n\n^");
        assertTrue(server.takeCaught().get(0) instanceof CorruptedFrameException);
        assertEquals(List.of(), server.takeReceived());
    }

    @Test
    void shouldStopWhenTheChannelClosesOrTheHandlerIsRemoved() {
        MemoryChannel closed = server(1000, 1000, "1000,1000");
        assertEquals(2, timer.pendingTimeouts());
        closed.close();
        assertEquals(0, timer.pendingTimeouts());
        MemoryChannel without = server(1000, 1000, "1000,1000");
        without.getPipeline().remove(StompHeartBeatHandler.class);
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldReportAStoppedTimer() {
        timer.stop();
        MemoryChannel server = server(1000, 1000, "1000,1000");
        List<Throwable> caught = server.takeCaught();
        assertEquals(2, caught.size(), caught.toString());
        assertEquals("timer was stopped", caught.get(0).getMessage());
    }

    @Test
    void shouldRefuseNegativeIntervals() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new StompHeartBeatHandler(timer, Duration.ofMillis(-1), Duration.ZERO));
        assertThrows(
                IllegalArgumentException.class,
                () -> new StompHeartBeatHandler(timer, Duration.ZERO, Duration.ofMillis(-1)));
    }

    @Test
    void shouldSendABeatEvenIfTheTimeOutRunsOutOfMemory() {
        MemoryChannel server = server(1000, 0, "0,2000").scarceTasks(new Scarcity(0));
        Scarcity.survive(() -> timer.advanceMillis(1500));
        Await.until(() -> written(server).equals("\n"), "the beat");
        Await.until(() -> timer.pendingTimeouts() == 1, "the next time-out");
        timer.advanceMillis(1500);
        assertEquals("\n", written(server));
    }

    @Test
    void shouldReportASilentPeerEvenIfACheckRunsOutOfMemory() {
        MemoryChannel server = server(0, 1000, "1000,0").scarceTasks(new Scarcity(0));
        Scarcity.survive(() -> timer.advanceMillis(1000));
        Await.until(() -> timer.pendingTimeouts() == 1, "the next check");
        assertEquals(List.of(), server.takeCaught());
        timer.advanceMillis(1000);
        assertTrue(server.takeCaught().get(0) instanceof ReadTimeoutException);
    }
}
