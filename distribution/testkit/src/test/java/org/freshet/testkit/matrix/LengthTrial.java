package org.freshet.testkit.matrix;

import java.util.List;
import org.freshet.channel.ChannelFuture;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;

/** Declares the length of an answer, and writes as much, too little or too much. */
final class LengthTrial extends Trial {
    private final int messages;
    private final long writtenBytes;
    private final long declaredBytes;

    /** Whether the head also announces chunks, which a declared length overrides. */
    private final boolean announcesChunks;

    /** The write of the last chunk; null before that. */
    private ChannelFuture tail;

    /** Bytes of content that have arrived. */
    private long arrivedBytes;

    private boolean isWhole;

    LengthTrial(Stage stage) {
        super(stage);
        messages = stage.draw().between(1, 20);
        writtenBytes = (long) (messages + inputMessages()) * stage.messageBytes();
        declaredBytes = writtenBytes + difference();
        announcesChunks = stage.draw().oneIn(2);
    }

    /** Of some bytes or whole messages; often none. */
    private long difference() {
        long off = stage.draw().oneIn(2) ? stage.messageBytes() : stage.draw().between(1, stage.messageBytes());
        return switch (stage.draw().below(3)) {
            case 0 -> 0;
            case 1 -> off;
            default -> -off;
        };
    }

    @Override
    boolean mayRefuse() {
        return true; // also if the connection breaks: the last chunk comes too early then
    }

    /** Whether no write reaches the declared length. */
    private boolean isCut() {
        return declaredBytes > writtenBytes || declaredBytes % stage.messageBytes() != 0;
    }

    @Override
    boolean mayKeepContent() {
        return !isWhole;
    }

    @Override
    List<Object> head() {
        HttpResponse head = (HttpResponse) super.head().get(0);
        HttpHeaders.removeTransferEncodingChunked(head);
        HttpHeaders.setContentLength(head, declaredBytes);
        head.setChunked(announcesChunks);
        return List.of(head);
    }

    @Override
    void onAsked(Link link) {
        writeGreedily(link, messages, () -> tail = link.write(HttpChunk.LAST_CHUNK));
    }

    @Override
    void onReceived(Link link, Object message) {
        arrivedBytes += stage.kind().content(message).readableBytes();
        boolean isEnd = message instanceof HttpChunk chunk && chunk.isLast()
                || message instanceof HttpResponse head && !head.isChunked();
        if (isEnd) {
            stage.require(!isWhole, link, "the answer ends twice");
            isWhole = true;
            stage.require(
                    arrivedBytes == declaredBytes,
                    link,
                    "an answer is taken for whole with " + arrivedBytes + " bytes" + ofDeclared());
        }
    }

    @Override
    void judge() {
        Link link = stage.link();
        long sentBytes = link.ledger.entries().stream()
                .filter(entry -> entry.future != null && entry.future.isSuccess())
                .mapToLong(entry -> (long) entry.messages * stage.messageBytes())
                .sum();
        stage.require(sentBytes <= declaredBytes, link, sentBytes + " bytes were sent" + ofDeclared());
        stage.require(
                tail == null || !tail.isSuccess() || !isCut(),
                link,
                "the last chunk was sent after " + writtenBytes + " bytes were written" + ofDeclared());
        if (!isCut() && link.peer.isWellBehaved() && !link.isBroken()) {
            stage.require(isWhole, link, "the answer has no end");
        }
    }

    private String ofDeclared() {
        return ", and " + declaredBytes + " are declared";
    }

    @Override
    void judgeEnd() {
        stage.require(tail == null || tail.isDone(), stage.link(), "the future of the last chunk isn't done");
    }
}
