package org.freshet.transport;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.testing.Recorder;

/**
 * Hashes received bytes until the expected number has arrived. The hash belongs to the I/O thread until {@link #done}.
 */
final class HashingReceiver extends Recorder {
    private static final int MAX_FRAGMENT_BYTES = 70_000;

    private final MessageDigest digest = sha256();
    private final CountDownLatch done = new CountDownLatch(1);
    private int missingBytes;

    HashingReceiver(int totalBytes) {
        missingBytes = totalBytes;
    }

    /** Sends random bytes in random fragments and returns their hash. */
    static byte[] send(Channel channel, Random random, int totalBytes) {
        MessageDigest sent = sha256();
        for (int left = totalBytes; left > 0; ) {
            byte[] fragment = new byte[Math.min(left, 1 + random.nextInt(MAX_FRAGMENT_BYTES))];
            random.nextBytes(fragment);
            sent.update(fragment);
            left -= fragment.length;
            channel.write(wrappedBuffer(fragment));
        }
        return sent.digest();
    }

    static byte[] hashOf(byte[] bytes) {
        return sha256().digest(bytes);
    }

    CountDownLatch done() {
        return done;
    }

    byte[] hash() {
        return digest.digest();
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
        if (e instanceof MessageEvent message) {
            ChannelBuffer bytes = (ChannelBuffer) message.getMessage();
            missingBytes -= bytes.readableBytes();
            digest.update(bytes.toByteBuffer());
            if (missingBytes <= 0) {
                done.countDown();
            }
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
