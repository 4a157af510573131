package org.freshet.example.filesend;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which every JVM supports. */
final class Hash {
    static final int BYTES = 32;

    private static final int READ_BYTES = 64 * 1024;

    private Hash() {}

    static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    static byte[] of(Path file) throws IOException {
        MessageDigest digest = newDigest();
        byte[] bytes = new byte[READ_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                digest.update(bytes, 0, read);
            }
        }
        return digest.digest();
    }
}
