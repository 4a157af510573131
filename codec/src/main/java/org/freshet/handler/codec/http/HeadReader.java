package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.internal.lending.LentChannelBuffer;

/**
 * Reads what surrounds the content of messages: empty lines, heads and trailers. It creates the message from a head,
 * decides how its content is delimited, and whether the connection ends with it. The decoder decides what comes next.
 *
 * <p>Each method takes the buffer to read from, and {@code received}, which holds the bytes of it that have arrived.
 * Belongs to one decoder; created when a connection's first bytes arrive.
 */
final class HeadReader {
    final HeadRules rules;

    private final HttpMessageDecoder decoder;
    private final HeadParser parser;

    /** Bytes of empty lines before the message. */
    private int emptyLines;

    /** The connection ends with the message framed last. */
    private boolean isLast;

    /** @param decoder creates the messages */
    HeadReader(HttpMessageDecoder decoder, HeadRules rules) {
        this.decoder = decoder;
        this.rules = rules;
        parser = new HeadParser(rules);
    }

    // ---- empty lines ----

    /** Skips the empty lines that have arrived. Returns whether a start line begins after them. */
    boolean skipEmptyLines(ChannelBuffer buffer, ChannelBuffer received) throws MalformedHttpMessageException {
        while (received.readable()) {
            int at = received.readerIndex();
            byte first = received.getByte(at);
            if (first == '\r') {
                if (received.readableBytes() == 1) {
                    return false;
                }
                if (received.getByte(at + 1) != '\n') {
                    throw rules.failures.malformed("a CR without LF before the start line");
                }
                skipEmptyLine(buffer, 2);
            } else if (first == '\n') {
                if (!rules.lfAllowed) {
                    throw rules.failures.malformed("an LF without CR before the start line");
                }
                skipEmptyLine(buffer, 1);
            } else {
                emptyLines = 0;
                return true;
            }
        }
        return false;
    }

    private void skipEmptyLine(ChannelBuffer buffer, int bytes) throws MalformedHttpMessageException {
        buffer.skipBytes(bytes);
        emptyLines += bytes;
        int max = rules.maxLineLength;
        if (emptyLines > max) {
            throw rules.failures.malformed("more than " + max + " bytes of empty lines before the start line");
        }
    }

    boolean hasSkippedLines() {
        return emptyLines > 0;
    }

    // ---- heads and trailers ----

    void startHead() {
        parser.startHead();
    }

    /** The message without its content; null if its head has not arrived completely. */
    HttpMessage readHead(ChannelBuffer buffer, ChannelBuffer received) throws Exception {
        ChannelBuffer head = ContentReader.withArray(received, rules.maxBytes());
        int start = head.arrayOffset() + head.readerIndex();
        int length = parser.parse(head.array(), start, start + head.readableBytes());
        if (length < 0) {
            return null;
        }
        HttpMessage message = newMessage();
        parser.moveTo(message.headers(), head.array(), start, !(head instanceof LentChannelBuffer));
        buffer.skipBytes(length);
        return message;
    }

    private HttpMessage newMessage() throws Exception {
        StartLine line = parser.startLine;
        try {
            return decoder.newMessage(line.first, line.second, line.third);
        } catch (IllegalArgumentException e) {
            MalformedHttpMessageException failure =
                    rules.failures.malformed("an invalid start line: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    void startTrailer() {
        parser.startTrailer();
    }

    /** Null if the trailer has not arrived completely. */
    HttpChunkTrailer readTrailer(ChannelBuffer buffer, ChannelBuffer received) throws Exception {
        ChannelBuffer section = ContentReader.withArray(received, rules.maxBytes());
        int start = section.arrayOffset() + section.readerIndex();
        int length = parser.parse(section.array(), start, start + section.readableBytes());
        if (length < 0) {
            return null;
        }
        HttpChunkTrailer trailer = parser.takeTrailer(section.array(), start);
        buffer.skipBytes(length);
        return trailer;
    }

    // ---- facts from the head ----

    /** Decides how the content of the message just read is delimited, and removes headers that contradict that. */
    MessageFraming.Body frame(HttpMessage message) throws MalformedHttpMessageException, TooLongHttpMessageException {
        HeadFacts facts = parser.facts;
        StartLine line = parser.startLine;
        boolean alwaysEmpty = decoder.isContentAlwaysEmpty(message);
        MessageFraming.Body body = rules.request
                ? rules.framing.ofRequest(facts, line.first, line.third, alwaysEmpty)
                : rules.framing.ofResponse(facts, line.second, line.first, alwaysEmpty);
        boolean coded = facts.coding != HeadFacts.Coding.NONE;
        boolean contradictory = coded && facts.contentLength >= 0 && !alwaysEmpty;
        if (contradictory) {
            message.headers().remove(HttpHeaders.Names.CONTENT_LENGTH);
        }
        if (coded && body == MessageFraming.Body.NONE || body == MessageFraming.Body.DRAFT76_RESPONSE) {
            message.headers().remove(HttpHeaders.Names.TRANSFER_ENCODING); // it would say that chunks follow
        }
        isLast = contradictory
                || body == MessageFraming.Body.UNTIL_CLOSE
                || facts.close()
                || rules.request && rules.httpOnly && !facts.keepAlive() && !isVersion11();
        return body;
    }

    /** The facts about the message read last. */
    HeadFacts facts() {
        return parser.facts;
    }

    /** Whether the connection ends with the message framed last. */
    boolean isLast() {
        return isLast;
    }

    /** Whether the client that sent the message read last waits for {@code 100 Continue}. */
    boolean expectsContinue() {
        return rules.request && parser.facts.expectContinue() && isVersion11();
    }

    private boolean isVersion11() {
        return !parser.startLine.third.endsWith("/1.0");
    }

    /** Whether the message read last is the response that switches the connection to another protocol. */
    boolean isSwitchingProtocols() {
        return !rules.request && "101".equals(parser.startLine.second);
    }

    /** An idle connection keeps nothing from its last message. */
    void forget() {
        parser.startLine.reset();
    }
}
