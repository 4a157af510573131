package org.freshet.handler.ssl;

import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.handler.ssl.TlsState.Stage;

/**
 * The receiving side of a connection: decrypts records, does what they demand, and rejects anything that costs us more than the
 * peer. In a step, except where noted.
 */
final class TlsInbound {
    /** How often the engine may neither read a record nor fail, each time after it got what it asked for. */
    private static final int MAX_FUTILE_READS = 16;

    /** Far more than the session tickets a server sends in a row, or the key updates a peer needs. */
    private static final int MAX_USELESS_RECORDS = 64;

    /** The most answers demanded by the peer that may be unsent because it doesn't read. */
    private static final int MAX_UNSENT_ANSWERS = 64;

    /** Any thread. Completed when the peer's close_notify arrives. */
    final ChannelFuture closeNotify;

    private final TlsState state;
    private final TlsHandshake handshake;
    private final TlsOutbound outbound;
    private final RecordReader reader;

    /** Consecutive ones since the handshake or the last data. */
    private int uselessRecords;

    /** Any thread. The close request that answers the end of the peer's input, or null. */
    private volatile ChannelEvent closingAfterPeer;

    TlsInbound(TlsState state, TlsHandshake handshake, TlsOutbound outbound) {
        this.state = state;
        this.handshake = handshake;
        this.outbound = outbound;
        this.reader = new RecordReader(state);
        this.closeNotify = new EarlyFuture(state::channel);
    }

    /** Any thread. */
    ChannelEvent closingAfterPeer() {
        return closingAfterPeer;
    }

    /**
     * Decrypts the next record if it is complete, unless the connection is busy or over. A failure ends the connection.
     *
     * @return the length of the record if only bytes of it are missing and its length is known; else 0
     */
    int decode(ChannelBuffer in) {
        if (outbound.isBusy() || state.is(Stage.CLOSED)) {
            return 0;
        }
        try {
            int length = TlsRecords.length(in, in.readerIndex());
            if (length > in.readableBytes()) {
                return length;
            }
            if (length != TlsRecords.INCOMPLETE) {
                read(in, length);
            }
        } catch (Throwable e) { // from the engine, usually an SSLException
            state.failConnection(e);
        }
        return 0;
    }

    /** Also decrypts the records that can be decrypted together with it. */
    private void read(ChannelBuffer in, int length) throws SSLException {
        int type = TlsRecords.type(in, in.readerIndex());
        boolean renegotiates = type == TlsRecords.HANDSHAKE && state.is(Stage.ESTABLISHED) && !state.isTls13();
        if (renegotiates && !handshake.renegotiationEnabled) {
            throw new SSLException("the peer asked to renegotiate, but renegotiation is not enabled");
        }
        boolean empty = TlsRecords.isEmpty(in, in.readerIndex(), length);
        if (empty && (type == TlsRecords.HANDSHAKE || state.is(Stage.IDLE))) {
            throw AlertException.ofEmptyRecord(type); // the engine would wait for more, or send another alert
        }
        if (state.is(Stage.IDLE)) {
            handshake.start();
        }
        for (int attempt = 0; attempt < MAX_FUTILE_READS; attempt++) {
            serveEngine(type);
            if (outbound.isBusy() || state.is(Stage.CLOSED) || readOnce(in, length, renegotiates)) {
                return;
            }
        }
        throw new SSLException("the engine makes no progress on a record of " + length + " bytes");
    }

    /**
     * A record cannot be read while the engine has something to send or to compute. Before a record that may end the
     * connection, also sends the answers to the records before it.
     */
    private void serveEngine(int recordType) {
        HandshakeStatus wanted = state.engineWants();
        if (recordType != TlsRecords.APPLICATION_DATA
                || wanted == HandshakeStatus.NEED_WRAP
                || wanted == HandshakeStatus.NEED_TASK) {
            outbound.flush();
        }
    }

    /** Returns whether something was read. */
    private boolean readOnce(ChannelBuffer in, int length, boolean renegotiates) throws SSLException {
        int start = in.readerIndex();
        boolean several = state.is(Stage.ESTABLISHED) && state.execution().readsSeveralRecords();
        SSLEngineResult result = reader.read(in, length, several);
        boolean useful = deliverPlaintext();
        reader.checkFailure();
        limitCosts(useful);
        onRead(result, renegotiates);
        return in.readerIndex() != start;
    }

    /** Returns whether there was any. */
    private boolean deliverPlaintext() {
        ChannelBuffer plaintext = reader.takePlaintext();
        if (plaintext != null) {
            state.execution().deliver(plaintext);
        }
        return plaintext != null;
    }

    /** Records without data cost us more than the peer: some of them we have to answer. */
    private void limitCosts(boolean useful) throws SSLException {
        uselessRecords = useful || !state.is(Stage.ESTABLISHED) ? 0 : uselessRecords + 1;
        if (uselessRecords > MAX_USELESS_RECORDS) {
            throw new SSLException("more than " + MAX_USELESS_RECORDS + " records in a row contained no data");
        }
        if (outbound.unsentAnswers() > MAX_UNSENT_ANSWERS) {
            throw new SSLException("the peer keeps demanding answers but has not read the last " + MAX_UNSENT_ANSWERS);
        }
    }

    private void onRead(SSLEngineResult result, boolean renegotiates) throws SSLException {
        HandshakeStatus status = result.getHandshakeStatus();
        if (renegotiates && status != HandshakeStatus.NOT_HANDSHAKING && state.is(Stage.ESTABLISHED)) {
            handshake.onRenegotiation();
        }
        if (status == HandshakeStatus.FINISHED) {
            handshake.onDone();
        }
        if (result.getStatus() == Status.CLOSED) {
            onCloseNotify();
        }
    }

    /** The peer sends nothing more. */
    private void onCloseNotify() throws SSLException {
        if (state.is(Stage.HANDSHAKING)) {
            throw new SSLException("the peer ended the handshake with close_notify");
        }
        boolean peerWasFirst = state.is(Stage.ESTABLISHED);
        if (peerWasFirst) {
            Channels.noteCloseReason(
                    state.channel(), CloseReason.PEER_CLOSED); // a handler may close when it is notified
        }
        state.execution().dispatch(closeNotify::setSuccess);
        if (peerWasFirst) {
            outbound.flush();
            outbound.sendCloseAlert();
        }
        state.enter(Stage.CLOSED);
        if (peerWasFirst) {
            closingAfterPeer = state.closing();
            state.execution().send(closingAfterPeer);
        }
    }

    /** After our own close_notify, the end of the connection is as good as the peer's. */
    void onConnectionEnd() {
        if (state.is(Stage.CLOSING)) {
            state.execution().dispatch(closeNotify::setSuccess);
        }
    }

    /** Nothing more is received. */
    void end(Throwable cause) {
        state.fail(closeNotify, cause);
    }
}
