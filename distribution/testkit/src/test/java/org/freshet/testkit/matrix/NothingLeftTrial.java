package org.freshet.testkit.matrix;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.WriteAccount;

/**
 * Also writes file regions where they can be sent, and closes in the middle. The channel must be collected in the end.
 */
final class NothingLeftTrial extends Trial {
    private static final int MAX_MILLIS_TO_CLOSE = 2_000;

    private final int messages;

    NothingLeftTrial(Stage stage) {
        super(stage);
        messages = stage.draw().between(1, 30);
    }

    @Override
    void onAsked(Link link) {
        if (stage.draw().oneIn(2)) {
            int millis = stage.draw().below(MAX_MILLIS_TO_CLOSE);
            stage.timer().newTimeout(t -> link.writer().close(), millis, TimeUnit.MILLISECONDS);
        }
        if (stage.combination().takesRegions()) {
            for (int i = stage.draw().below(5); i > 0; i--) {
                writeRegion(link);
            }
        }
        writeGreedily(link, messages, () -> writeTail(link));
    }

    private void writeRegion(Link link) {
        Ledger.Entry entry = link.ledger.add(Ledger.LOOP, 1, WriteAccount.FILE_BYTES);
        CountedFile file = new CountedFile(link.ledger.contentOf(entry));
        stage.onHandedOver(file);
        link.ledger.onReturned(entry, link.write(new DefaultFileRegion(file, 0, file.size(), true)));
    }

    @Override
    void judgeEnd() {
        Channel connection = stage.link().connection();
        if (connection != null) {
            stage.onClosed(new WeakReference<>(connection));
        }
    }
}
