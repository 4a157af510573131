package org.freshet.handler.codec.frame;

/**
 * The life cycle of a frame decoder: in a pipeline or not, with a read on the stack or between two reads, before the end of
 * the connection or after it. The end of the peer's output counts as that of the connection.
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
 * <p>Belongs to one decoder, and to the thread that delivers its upstream events. Only the methods below change the phase.
 */
final class DecoderLife {
    enum Phase {
        /** Nothing was received since the decoder was added, or since the connection ended. */
        IDLE(false),

        /** Between two reads. */
        WAITING(false),

        /** Between two reads, of which the last one failed and would fail again: at the end it is not decoded. */
        FAILED(false),

        /** {@code decode}, or a handler that received one of its frames, is on the stack. */
        DECODING(true),

        /** As {@link #DECODING}, and the connection has ended: the rest is decoded after this read. */
        CLOSING(true),

        /** The connection has ended, and the rest is being decoded. */
        AT_END(true),

        /** The decoder was removed: once no read is on the stack, it passes on what is unread. */
        LEAVING(false),

        /** A failure closed the channel: what is unread, and what still arrives, is discarded. */
        ABANDONED(false),

        /** In no pipeline any more: a read that still arrives passes. */
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

    /** Whether more frames may be decoded of the read that is on the stack. */
    boolean decodes() {
        return phase.decodes;
    }

    boolean isOnStack() {
        return phase.decodes || phase == Phase.LEAVING;
    }

    /** While a read is on the stack: whether its frames are not to be sent on any more. */
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

    /** While a read is on the stack, the rest is decoded later. */
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

    void abandon() {
        if (phase == Phase.LEAVING) {
            phase = Phase.REMOVED;
        } else if (phase.decodes) {
            phase = Phase.ABANDONED;
        }
    }

    /** A decoder that is moved while it decodes continues with the read. */
    void added() {
        phase = phase == Phase.LEAVING ? Phase.DECODING : Phase.IDLE;
    }

    /**
     * @return false while a read is on the stack: the decoder stays responsible for its bytes until the stack has unwound
     */
    boolean removed() {
        boolean atOnce = !phase.decodes;
        phase = phase == Phase.ABANDONED ? Phase.REMOVED : Phase.LEAVING;
        return atOnce;
    }

    void left() {
        phase = Phase.REMOVED;
    }
}
