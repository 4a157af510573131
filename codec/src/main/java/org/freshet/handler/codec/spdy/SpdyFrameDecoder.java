package org.freshet.handler.codec.spdy;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;

/**
 * Splits a stream of bytes into SPDY/3.1 frames and checks their form. Control frames of unknown types are skipped. Data is
 * passed on in pieces of up to {@code maxChunkSize}, and header blocks as they arrive, so hardly anything is buffered.
 *
 * <p>An invalid frame, or SETTINGS with more than {@value #MAX_SETTINGS} entries, is a frame error. Everything after it is
 * discarded.
 *
 * <p>Belongs to one session and to the thread that calls it.
 */
public class SpdyFrameDecoder {
    static final int MAX_SETTINGS = 64;

    private static final int DEFAULT_MAX_CHUNK_BYTES = 8192;
    private static final int PRIORITY_SHIFT = 5;

    private enum State {
        HEAD,
        DATA,
        /** A control frame of a known type, waiting for its fixed-size fields. */
        FIELDS,
        SETTING,
        HEADER_BLOCK,
        SKIPPED,
        FAILED
    }

    private final int version;
    private final int maxChunkBytes;
    private final SpdyFrameDecoderDelegate delegate;

    private State state = State.HEAD;

    // The current frame.
    private int type;
    private int flags;
    private int streamId;

    /** Bytes of the frame still to be read. */
    private int length;

    private int missingSettings;

    /** Passes data on in pieces of up to 8,192 bytes. */
    public SpdyFrameDecoder(SpdyVersion spdyVersion, SpdyFrameDecoderDelegate delegate) {
        this(spdyVersion, delegate, DEFAULT_MAX_CHUNK_BYTES);
    }

    /** @param maxChunkSize the most data in one piece, in bytes, 1 or more */
    public SpdyFrameDecoder(SpdyVersion spdyVersion, SpdyFrameDecoderDelegate delegate, int maxChunkSize) {
        version = Objects.requireNonNull(spdyVersion, "spdyVersion").version();
        this.delegate = Objects.requireNonNull(delegate, "delegate");
        if (maxChunkSize <= 0) {
            throw new IllegalArgumentException("maxChunkSize <= 0: " + maxChunkSize);
        }
        maxChunkBytes = maxChunkSize;
    }

    /** Decodes as much as possible. The next call's buffer must begin with the bytes left unread. */
    public void decode(ChannelBuffer buffer) {
        while (step(buffer)) {}
    }

    /** Decodes up to the next call of the delegate at most. Returns whether it made progress. */
    final boolean step(ChannelBuffer buffer) {
        return switch (state) {
            case HEAD -> readHead(buffer);
            case DATA -> readData(buffer);
            case FIELDS -> buffer.readableBytes() >= fixedBytes(type) && readFields(buffer);
            case SETTING -> readSetting(buffer);
            case HEADER_BLOCK -> readHeaderBlock(buffer);
            case SKIPPED -> skip(buffer);
            case FAILED -> {
                buffer.skipBytes(buffer.readableBytes());
                yield false;
            }
        };
    }

    /** Discards everything from now on. */
    final void fail() {
        state = State.FAILED;
    }

    // ---- the head ----

    private boolean readHead(ChannelBuffer in) {
        if (in.readableBytes() < SpdyWire.HEAD_BYTES) {
            return false;
        }
        int first = in.readInt();
        flags = in.readUnsignedByte();
        length = in.readUnsignedMedium();
        if (first >= 0) {
            return enterData(first);
        }
        int received = first >> 16 & 0x7FFF;
        type = first & 0xFFFF;
        if (received != version) {
            return error("frame version is not " + version + ": " + received);
        }
        return enterControl();
    }

    private boolean enterData(int id) {
        if (id == 0) {
            return error("DATA on stream 0");
        }
        streamId = id;
        return enter(State.DATA);
    }

    private boolean enterControl() {
        int fixed = fixedBytes(type);
        if (fixed == 0) {
            return enter(State.SKIPPED);
        }
        if (length < fixed || length > fixed && !isOpenEnded(type)) {
            return error("the length of a frame of type " + type + " is not " + fixed
                    + (isOpenEnded(type) ? " or more: " : ": ") + length);
        }
        if (type == SpdyWire.RST_STREAM && flags != 0) {
            return error("RST_STREAM has flags: " + flags);
        }
        return enter(State.FIELDS);
    }

    /** The size of the fixed fields of a frame type; 0 if the type is unknown. */
    private static int fixedBytes(int type) {
        return switch (type) {
            case SpdyWire.SYN_STREAM -> 10;
            case SpdyWire.SYN_REPLY, SpdyWire.HEADERS, SpdyWire.SETTINGS, SpdyWire.PING -> 4;
            case SpdyWire.RST_STREAM, SpdyWire.GOAWAY, SpdyWire.WINDOW_UPDATE -> 8;
            default -> 0;
        };
    }

    private static boolean isOpenEnded(int type) {
        return switch (type) {
            case SpdyWire.SYN_STREAM, SpdyWire.SYN_REPLY, SpdyWire.HEADERS, SpdyWire.SETTINGS -> true;
            default -> false;
        };
    }

    // ---- bodies: each returns whether it made progress ----

    private boolean readData(ChannelBuffer in) {
        int piece = Math.min(length, maxChunkBytes);
        if (in.readableBytes() < piece) {
            return false;
        }
        length -= piece;
        boolean last = length == 0 && has(SpdyWire.FLAG_FIN);
        if (length == 0) {
            state = State.HEAD;
        }
        delegate.readDataFrame(streamId, last, in.readBytes(piece));
        return true;
    }

    private boolean readFields(ChannelBuffer in) {
        length -= fixedBytes(type);
        return switch (type) {
            case SpdyWire.SYN_STREAM -> readSynStream(in);
            case SpdyWire.SYN_REPLY, SpdyWire.HEADERS -> readReplyOrHeaders(in);
            case SpdyWire.RST_STREAM -> readRstStream(in);
            case SpdyWire.SETTINGS -> readSettings(in);
            case SpdyWire.PING -> readPing(in);
            case SpdyWire.GOAWAY -> readGoAway(in);
            default -> readWindowUpdate(in);
        };
    }

    private boolean readSynStream(ChannelBuffer in) {
        streamId = readId(in);
        int associatedTo = readId(in);
        byte priority = (byte) (in.readUnsignedByte() >> PRIORITY_SHIFT);
        in.skipBytes(1);
        if (streamId == 0) {
            return error("SYN_STREAM on stream 0");
        }
        state = State.HEADER_BLOCK;
        delegate.readSynStreamFrame(
                streamId, associatedTo, priority, has(SpdyWire.FLAG_FIN), has(SpdyWire.FLAG_UNIDIRECTIONAL));
        return true;
    }

    private boolean readReplyOrHeaders(ChannelBuffer in) {
        streamId = readId(in);
        if (streamId == 0) {
            return error((type == SpdyWire.SYN_REPLY ? "SYN_REPLY" : "HEADERS") + " on stream 0");
        }
        state = State.HEADER_BLOCK;
        if (type == SpdyWire.SYN_REPLY) {
            delegate.readSynReplyFrame(streamId, has(SpdyWire.FLAG_FIN));
        } else {
            delegate.readHeadersFrame(streamId, has(SpdyWire.FLAG_FIN));
        }
        return true;
    }

    private boolean readRstStream(ChannelBuffer in) {
        streamId = readId(in);
        int status = in.readInt();
        if (streamId == 0 || status == 0) {
            return error("RST_STREAM on stream " + streamId + " with status " + status);
        }
        state = State.HEAD;
        delegate.readRstStreamFrame(streamId, status);
        return true;
    }

    private boolean readPing(ChannelBuffer in) {
        state = State.HEAD;
        delegate.readPingFrame(in.readInt());
        return true;
    }

    private boolean readGoAway(ChannelBuffer in) {
        state = State.HEAD;
        delegate.readGoAwayFrame(readId(in), in.readInt());
        return true;
    }

    private boolean readWindowUpdate(ChannelBuffer in) {
        streamId = readId(in);
        int delta = in.readInt() & ~SpdyWire.CONTROL_BIT;
        if (delta == 0) {
            return error("WINDOW_UPDATE with an increment of 0");
        }
        state = State.HEAD;
        delegate.readWindowUpdateFrame(streamId, delta);
        return true;
    }

    // ---- settings ----

    private boolean readSettings(ChannelBuffer in) {
        missingSettings = in.readInt();
        if (length % SpdyWire.SETTING_BYTES != 0 || length / SpdyWire.SETTING_BYTES != missingSettings) {
            return error("SETTINGS frame declares " + Integer.toUnsignedLong(missingSettings) + " entries in " + length
                    + " bytes");
        }
        if (missingSettings > MAX_SETTINGS) {
            return error("SETTINGS frame has more than " + MAX_SETTINGS + " entries: " + missingSettings);
        }
        state = State.SETTING;
        delegate.readSettingsFrame(has(SpdyWire.FLAG_CLEAR_SETTINGS));
        return true;
    }

    private boolean readSetting(ChannelBuffer in) {
        if (missingSettings == 0) {
            state = State.HEAD;
            delegate.readSettingsEnd();
            return true;
        }
        if (in.readableBytes() < SpdyWire.SETTING_BYTES) {
            return false;
        }
        missingSettings--;
        int settingFlags = in.readUnsignedByte();
        int id = in.readUnsignedMedium();
        delegate.readSetting(
                id,
                in.readInt(),
                (settingFlags & SpdyWire.FLAG_PERSIST_VALUE) != 0,
                (settingFlags & SpdyWire.FLAG_PERSISTED) != 0);
        return true;
    }

    // ---- header blocks ----

    private boolean readHeaderBlock(ChannelBuffer in) {
        if (length == 0) {
            state = State.HEAD;
            delegate.readHeaderBlockEnd();
            return true;
        }
        if (!in.readable()) {
            return false;
        }
        int part = Math.min(length, in.readableBytes());
        length -= part;
        delegate.readHeaderBlock(in.readSlice(part));
        return true;
    }

    private boolean skip(ChannelBuffer in) {
        int skipped = Math.min(length, in.readableBytes());
        in.skipBytes(skipped);
        length -= skipped;
        return length == 0 && enter(State.HEAD);
    }

    // ---- helpers ----

    private static int readId(ChannelBuffer in) {
        return in.readInt() & ~SpdyWire.CONTROL_BIT;
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    private boolean enter(State next) {
        state = next;
        return true;
    }

    private boolean error(String message) {
        state = State.FAILED;
        delegate.readFrameError(message);
        return true;
    }
}
