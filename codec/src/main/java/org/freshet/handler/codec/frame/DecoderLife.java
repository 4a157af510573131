package org.freshet.handler.codec.frame;

/**
 * The life cycle of a frame decoder: in a pipeline or not, during a read or between reads, before or after the end of
 * the connection. The end of the peer's output counts as the end of the connection.
 *
 * <pre>
 * IDLE, WAITING, FAILED --- read begins ---&gt; DECODING --- read ends ---&gt; WAITING, FAILED
 *                                            DECODING --- connection ends ---&gt; CLOSING
 * WAITING, CLOSING --- rest begins ---&gt; AT_END --- rest ends ---&gt; IDLE
 * FAILED, CLOSING  --- rest ends ---&gt; IDLE
 * DECODING, CLOSING, AT_END --- a failure closed the channel ---&gt; ABANDONED
 * any --- removed ---&gt; LEAVING --- unread bytes passed on ---&gt; REMOVED --- added ---&gt; IDLE
 * </pre>
 *
 * <p>Belongs to one decoder, and to the thread that delivers its upstream events. Only the methods below change the
 * phase.
 */
final class DecoderLife {
    enum Phase {
        /** Nothing was received since the decoder was added or since the connection ended. */
        IDLE(false),

        /** Between two reads. */
        WAITING(false),

        /** Between two reads. The last one failed and would fail again, so the rest is not decoded at the end. */
        FAILED(false),

        /** {@code decode}, or a handler receiving one of its frames, is on the stack. */
        DECODING(true),

        /** Like {@link #DECODING}, but the connection has ended: the rest is decoded after this read. */
        CLOSING(true),

        /** The connection has ended, and the rest is being decoded. */
        AT_END(true),

        /** The decoder was removed. Once no read is on the stack, it passes on the unread bytes. */
        LEAVING(false),

        /** A failure closed the channel. Unread bytes and any later input are discarded. */
        ABANDONED(false),

        /** No longer in a pipeline: a late read passes through. */
        REMOVED(false);

        private final boolean decodes;

        Phase(boolean decodes) {
            this.decodes = decodes;
        }
    }

    private Phase phase = Phase.IDLE;

    Phase phase() {
        return phase;
    }

    /** Returns whether more frames may be decoded from the read that is on the stack. */
    boolean decodes() {
        return phase.decodes;
    }

    /** Returns whether frames must no longer be sent. Called while a read is on the stack. */
    boolean isAbandoned() {
        return phase == Phase.ABANDONED || phase == Phase.REMOVED;
    }

    void beginRead() {
        phase = Phase.DECODING;
    }

    void endRead(boolean failed) {
        if (phase == Phase.DECODING) {
            phase = failed ? Phase.FAILED : Phase.WAITING;
        }
    }

    /** If a read is on the stack, the rest is decoded after it. */
    void connectionEnded() {
        if (phase == Phase.DECODING) {
            phase = Phase.CLOSING;
        }
    }

    void beginRest() {
        phase = Phase.AT_END;
    }

    void endRest() {
        if (!isAbandoned()) {
            phase = Phase.IDLE;
        }
    }

    /** Has no effect between two reads. */
    void abandon() {
        if (phase == Phase.LEAVING) {
            phase = Phase.REMOVED;
        } else if (phase.decodes) {
            phase = Phase.ABANDONED;
        }
    }

    /** A decoder that is moved while decoding continues with its read. */
    void added() {
        phase = phase == Phase.LEAVING ? Phase.DECODING : Phase.IDLE;
    }

    /**
     * Returns whether the decoder can hand over its bytes now. False if a read is on the stack: it keeps them until the
     * stack has unwound.
     */
    boolean removed() {
        boolean canHandOver = !phase.decodes;
        phase = phase == Phase.ABANDONED ? Phase.REMOVED : Phase.LEAVING;
        return canHandOver;
    }

    void left() {
        phase = Phase.REMOVED;
    }
}
