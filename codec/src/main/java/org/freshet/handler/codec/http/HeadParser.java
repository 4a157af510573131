package org.freshet.handler.codec.http;

import java.util.Arrays;
import org.freshet.handler.codec.http.internal.KnownNames;

/**
 * Parses the head of a message, or a trailer section. One pass over the bytes, resumed when more have arrived, so the
 * cost is linear however they are split. Nothing is consumed before the head is complete.
 *
 * <p>Whether a head is refused depends on its bytes alone, not on how they were split. Limits apply while bytes arrive,
 * not afterwards.
 *
 * <p>Belongs to one decoder. Indexes that outlive a call are relative to the start of the head.
 */
final class HeadParser {
    private enum Phase {
        START_LINE,
        LINE_START,
        NAME,
        VALUE_START,
        VALUE,
        LINE_END
    }

    /** The number of headers expected in the first message of a connection. */
    private static final int USUAL_HEADERS = 6;

    /** A message keeps reads up to this size whole, which saves copying its head. */
    static final int MAX_KEPT_BYTES = 8192;

    /** Larger reads are kept if the head fills more than one part in this many. */
    private static final int MAX_WASTE = 4;

    private final HeadRules rules;
    final StartLine startLine;
    final HeadFacts facts;

    private Phase phase = Phase.START_LINE;
    private boolean trailer;

    /** Bytes before this index have been parsed. */
    private int at;

    private int headersStart;
    private int lineStart;

    /** The line continues the header of the line before. */
    private boolean continuing;

    /** At least one header spans several lines. */
    private boolean folded;

    /** The same layout as in {@link DefaultHttpHeaders}, relative to {@link #headersStart}. Null between heads. */
    private int[] index;

    private int size;

    /** As many as the last message had, since the messages of a connection are alike. */
    private int expectedHeaders = USUAL_HEADERS;

    HeadParser(HeadRules rules) {
        this.rules = rules;
        this.startLine = new StartLine(rules);
        this.facts = new HeadFacts(rules);
    }

    /** Resets the parser to parse the head of a message. */
    void startHead() {
        startLine.reset();
        facts.reset();
        start(Phase.START_LINE, false);
    }

    /** Resets the parser to parse a trailer section. */
    void startTrailer() {
        start(Phase.LINE_START, true);
    }

    private void start(Phase first, boolean trailer) {
        this.phase = first;
        this.trailer = trailer;
        at = 0;
        headersStart = 0;
        continuing = false;
        folded = false;
        index = null;
        size = 0;
    }

    /**
     * Continues parsing.
     *
     * @param start where the head starts; this may have moved since the last call
     * @return the length of the head including the empty line, or -1 if that has not arrived
     */
    int parse(byte[] array, int start, int end) throws MalformedHttpMessageException, TooLongHttpMessageException {
        if (phase == Phase.START_LINE) {
            int length = startLine.parse(array, start, end);
            if (length < 0) {
                return -1;
            }
            headersStart = length;
            at = length;
            phase = Phase.LINE_START;
        }
        int maxSize = trailer ? rules.maxTrailerSize : rules.maxHeaderSize;
        int limit = (int) Math.min(end, (long) start + headersStart + maxSize);
        boolean complete = parseLines(array, start, limit);
        if (!complete && limit - start - headersStart == maxSize) {
            throw rules.failures.tooLong(
                    "a header section longer than " + maxSize + " bytes",
                    HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE);
        }
        return complete ? at : -1;
    }

    /** Whether the empty line was found. */
    private boolean parseLines(byte[] array, int start, int limit)
            throws MalformedHttpMessageException, TooLongHttpMessageException {
        if (phase == Phase.LINE_START) {
            parseUsualLines(array, start, limit);
        }
        while (true) {
            switch (phase) {
                case LINE_START:
                    int end = endOfSection(array, start + at, limit);
                    if (end >= 0) {
                        at = end - start;
                        return true;
                    }
                    if (phase == Phase.LINE_START) {
                        return false;
                    }
                    break;
                case NAME:
                    if (!parseName(array, start, limit)) {
                        return false;
                    }
                    break;
                case VALUE_START:
                    int first = start + at;
                    while (first < limit && HeadScan.isBlank(array[first])) {
                        first++;
                    }
                    at = first - start;
                    if (first == limit) {
                        return false;
                    }
                    startValue();
                    break;
                case VALUE:
                    int stop = HeadScan.endOfValue(array, start + at, limit);
                    at = stop - start;
                    if (stop == limit) {
                        return false;
                    }
                    endValue(array, start, stop);
                    break;
                default:
                    if (start + at == limit) {
                        return false;
                    }
                    if (array[start + at] != '\n') {
                        throw rules.failures.malformed("a CR without LF in a header line");
                    }
                    endLine();
            }
        }
    }

    /**
     * Parses ordinary lines that have arrived completely, in one go and without keeping track of a phase. Stops at the
     * first line that is different. That line is left to the phases, and so is its effect on the line before it.
     */
    private void parseUsualLines(byte[] array, int start, int limit)
            throws MalformedHttpMessageException, TooLongHttpMessageException {
        int base = start + headersStart;
        int line = start + at;
        while (line < limit && array[line] > ' ') {
            long found = KnownNames.hashUpToColon(array, line, limit);
            int colon = (int) (found >>> Integer.SIZE);
            int key = found < 0 ? 0 : KnownNames.key(array, line, colon, (int) found);
            if (found < 0 || key < 0 && (colon == line || HeadScan.endOfToken(array, line, colon) < colon)) {
                break;
            }
            int value = colon + 1;
            while (value < limit && HeadScan.isBlank(array[value])) {
                value++;
            }
            int stop = HeadScan.endOfValue(array, value, limit);
            if (stop >= limit - 1 || array[stop] != '\r' || array[stop + 1] != '\n') {
                break;
            }
            finishHeader(array, start);
            addHeader(key);
            int last = DefaultHttpHeaders.INTS * (size - 1);
            index[last + 1] = value - base;
            index[last + 2] = HeadScan.trimmedEnd(array, value, stop) - base;
            line = stop + 2;
            at = line - start;
        }
    }

    /**
     * The index after the empty line if one starts here, otherwise -1. The phase then has changed, unless more bytes
     * are needed.
     */
    private int endOfSection(byte[] array, int first, int limit)
            throws MalformedHttpMessageException, TooLongHttpMessageException {
        if (first == limit) {
            return -1;
        }
        byte b = array[first];
        if (HeadScan.isBlank(b)) {
            startContinuation();
            return -1;
        }
        if (b == '\r') {
            if (first + 1 == limit) {
                return -1;
            }
            if (array[first + 1] != '\n') {
                throw rules.failures.malformed("a CR without LF where a header line should start");
            }
            finishHeader(array, first - at);
            return first + 2;
        }
        finishHeader(array, first - at);
        if (b == '\n') {
            requireLfAllowed();
            return first + 1;
        }
        lineStart = at;
        phase = Phase.NAME;
        return -1;
    }

    private void startContinuation() throws MalformedHttpMessageException {
        if (size == 0) {
            throw rules.failures.malformed("a header section that begins with a blank");
        }
        if (!rules.foldAllowed) {
            throw rules.failures.malformed("a header that continues on a second line");
        }
        continuing = true;
        folded = true;
        phase = Phase.VALUE_START;
    }

    private boolean parseName(byte[] array, int start, int limit)
            throws MalformedHttpMessageException, TooLongHttpMessageException {
        int name = start + lineStart;
        if (at > lineStart && !colonFollows(array, start, limit)) {
            return false;
        }
        long found = KnownNames.hashUpToColon(array, name, limit);
        if (found < 0) {
            checkToken(array, start + at, limit);
            at = limit - start;
            return false;
        }
        int colon = (int) (found >>> Integer.SIZE);
        int key = KnownNames.key(array, name, colon, (int) found);
        if (key < 0) {
            checkToken(array, name, colon);
        }
        if (colon == name) {
            throw rules.failures.malformed("a header without a name");
        }
        addHeader(key);
        at = colon + 1 - start;
        phase = Phase.VALUE_START;
        return true;
    }

    /** For a name that arrived in pieces: the earlier pieces were tokens without a colon. */
    private boolean colonFollows(byte[] array, int start, int limit) throws MalformedHttpMessageException {
        int stop = HeadScan.endOfToken(array, start + at, limit);
        if (stop < limit && array[stop] != ':') {
            throw notInName(array[stop]);
        }
        at = stop - start;
        return stop < limit;
    }

    private void checkToken(byte[] array, int from, int to) throws MalformedHttpMessageException {
        int stop = HeadScan.endOfToken(array, from, to);
        if (stop < to) {
            throw notInName(array[stop]);
        }
    }

    private MalformedHttpMessageException notInName(byte b) {
        return rules.failures.malformed(HttpFailures.name(b) + " in the name of a header");
    }

    private void addHeader(int key) throws TooLongHttpMessageException {
        if (size == rules.maxHeaders) {
            throw rules.failures.tooLong(
                    "more than " + rules.maxHeaders + " header lines",
                    HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE);
        }
        int ints = DefaultHttpHeaders.INTS;
        if (index == null) {
            index = new int[ints * expectedHeaders];
        } else if (ints * size == index.length) {
            index = Arrays.copyOf(index, 2 * index.length);
        }
        index[ints * size] = key;
        size++;
    }

    private void startValue() {
        phase = Phase.VALUE;
        if (!continuing) {
            index[DefaultHttpHeaders.INTS * (size - 1) + 1] = at - headersStart;
        }
        lineStart = at;
    }

    private void endValue(byte[] array, int start, int stop) throws MalformedHttpMessageException {
        byte stopper = array[stop];
        if (stopper != '\r' && stopper != '\n') {
            throw rules.failures.malformed(HttpFailures.name(stopper) + " in the value of a header");
        }
        int end = HeadScan.trimmedEnd(array, start + lineStart, stop) - start;
        if (!continuing || end > lineStart) {
            index[DefaultHttpHeaders.INTS * (size - 1) + 2] = end - headersStart;
        }
        if (stopper == '\r') {
            at++;
            phase = Phase.LINE_END;
        } else {
            requireLfAllowed();
            endLine();
        }
    }

    private void requireLfAllowed() throws MalformedHttpMessageException {
        if (!rules.lfAllowed) {
            throw rules.failures.malformed("an LF without CR in the header section");
        }
    }

    /** The next byte is the line's LF. */
    private void endLine() {
        at++;
        continuing = false;
        phase = Phase.LINE_START;
    }

    /** The last header is complete, now that the next line does not continue it. */
    private void finishHeader(byte[] array, int start) throws MalformedHttpMessageException {
        if (size == 0 || trailer) {
            return;
        }
        int last = DefaultHttpHeaders.INTS * (size - 1);
        int key = index[last];
        if (key >= 0 && key < KnownNames.FRAMING_KEYS) {
            int base = start + headersStart;
            facts.onHeader(key, array, base + index[last + 1], base + index[last + 2]);
        }
    }

    // ---- handing over ----

    /**
     * Moves the parsed headers into a message, once {@link #parse} has returned a length. They become spans of the
     * array, or of a copy of it, if the map can take that. Otherwise they are added one by one.
     */
    void moveTo(HttpHeaders headers, byte[] array, int start, boolean mayKeepArray) {
        if (size == 0) {
            return;
        }
        byte[] head = head(array, start + headersStart, mayKeepArray);
        if (headers.getClass() == DefaultHttpHeaders.class && headers.isEmpty()) {
            ((DefaultHttpHeaders) headers).adopt(head, index, size, mayBeCoded());
        } else {
            DefaultHttpHeaders parsed = new DefaultHttpHeaders();
            parsed.adopt(head, index, size, mayBeCoded());
            for (int i = 0; i < size; i++) {
                headers.add(parsed.nameAt(i), parsed.valueAt(i));
            }
        }
        expectedHeaders = size;
        index = null;
        size = 0;
    }

    /** A trailer's headers contribute no facts. */
    private boolean mayBeCoded() {
        return trailer || facts.hasTransferEncoding();
    }

    /** The array that the spans refer to. Adjusts the spans to it. */
    private byte[] head(byte[] array, int base, boolean mayKeepArray) {
        int length = index[DefaultHttpHeaders.INTS * (size - 1) + 2];
        boolean small = array.length <= MAX_KEPT_BYTES || array.length / MAX_WASTE <= length;
        if (folded || !small || !mayKeepArray) {
            byte[] copy = Arrays.copyOfRange(array, base, base + length);
            if (folded) {
                unfold(copy);
            }
            return copy;
        }
        for (int i = 0; i < DefaultHttpHeaders.INTS * size; i += DefaultHttpHeaders.INTS) {
            index[i + 1] += base;
            index[i + 2] += base;
        }
        return array;
    }

    /** Returns the parsed trailer, without headers that are not allowed in a trailer. */
    HttpChunkTrailer takeTrailer(byte[] array, int start) {
        DefaultHttpHeaders parsed = new DefaultHttpHeaders();
        moveTo(parsed, array, start, true); // the headers are read before this method returns
        HttpChunkTrailer trailer = null;
        for (int i = 0; i < parsed.size(); i++) {
            if (!TrailerHeaders.isProhibited(parsed.nameAt(i))) {
                trailer = trailer == null ? new DefaultHttpChunkTrailer() : trailer;
                trailer.trailingHeaders().add(parsed.nameAt(i), parsed.valueAt(i));
            }
        }
        return trailer == null ? HttpChunk.LAST_CHUNK : trailer;
    }

    /** Joins the lines of each value with a single blank (RFC 9112 5.2), in place. */
    private void unfold(byte[] head) {
        for (int i = 0; i < size; i++) {
            int from = index[DefaultHttpHeaders.INTS * i + 1];
            int to = index[DefaultHttpHeaders.INTS * i + 2];
            int kept = from;
            for (int read = from; read < to; read++) {
                if (head[read] != '\r' && head[read] != '\n') {
                    head[kept++] = head[read];
                    continue;
                }
                while (HeadScan.isBlank(head[read + 1])) {
                    read++; // a value does not end with a blank
                }
                kept = HeadScan.trimmedEnd(head, from, kept);
                if (kept > from) {
                    head[kept++] = ' ';
                }
            }
            index[DefaultHttpHeaders.INTS * i + 2] = kept;
        }
    }
}
