package org.freshet.handler.ssl;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Reads certificates and keys from PEM files. Its exceptions name the file and the problem. */
final class PemFiles {
    /** Single dashes occur in the headers of keys encrypted in the old format. */
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----((?:[^-]++|-(?!----))*+)-----END \\1-----");

    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String KEY = "PRIVATE KEY";
    private static final String ENCRYPTED_KEY = "ENCRYPTED PRIVATE KEY";

    /** A PKCS#8 key names its algorithm, but the JDK can't report it; each factory accepts only its own. */
    private static final String[] KEY_ALGORITHMS = {"RSA", "EC", "EdDSA", "DSA", "RSASSA-PSS"};

    /** The JDK's name for the second standard of password-based encryption; the parameters contain the rest. */
    private static final String PBES2 = "PBES2";

    private PemFiles() {}

    /** Returns all certificates of a file, in order; at least one. Ignores everything else in the file. */
    static X509Certificate[] certificates(File file) throws IOException, CertificateException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher block = BLOCK.matcher(text(file, "certificates"));
        while (block.find()) {
            if (block.group(1).equals(CERTIFICATE)) {
                certificates.add(certificate(factory, file, decode(file, block.group(2))));
            }
        }
        if (certificates.isEmpty()) {
            throw new CertificateException("no BEGIN CERTIFICATE in " + file);
        }
        return certificates.toArray(new X509Certificate[0]);
    }

    private static X509Certificate certificate(CertificateFactory factory, File file, byte[] encoded)
            throws CertificateException {
        try {
            return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded));
        } catch (CertificateException e) {
            throw new CertificateException("bad certificate in " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns the first key of a file.
     *
     * @param password for an encrypted key; ignored otherwise. May be null.
     */
    static PrivateKey privateKey(File file, String password) throws IOException, GeneralSecurityException {
        Matcher block = BLOCK.matcher(text(file, "private key"));
        boolean hasCertificate = false;
        while (block.find()) {
            String type = block.group(1);
            if (type.equals(KEY)) {
                return privateKey(file, new PKCS8EncodedKeySpec(decode(file, block.group(2))));
            }
            if (type.equals(ENCRYPTED_KEY)) {
                return privateKey(file, decrypt(file, decode(file, block.group(2)), password));
            }
            if (type.endsWith(KEY)) {
                throw new InvalidKeySpecException(file + " contains a BEGIN " + type
                        + ", which is not PKCS#8; convert it with: openssl pkcs8 -topk8 -nocrypt -in "
                        + file.getName());
            }
            hasCertificate |= type.equals(CERTIFICATE);
        }
        throw new InvalidKeySpecException(
                hasCertificate
                        ? file + " holds a certificate, not a private key: are the two files swapped?"
                        : "no BEGIN " + KEY + " in " + file);
    }

    private static String text(File file, String content) throws FileSystemException {
        try {
            return Files.readString(file.toPath(), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw unreadable("no such file for the " + content + ": " + file.getAbsolutePath(), e);
        } catch (AccessDeniedException e) {
            throw unreadable("no permission to read the " + content + ": " + file.getAbsolutePath(), e);
        } catch (IOException e) {
            throw unreadable("cannot read the " + content + ": " + file.getAbsolutePath() + ": " + e.getMessage(), e);
        }
    }

    private static FileSystemException unreadable(String message, IOException cause) {
        FileSystemException unreadable = new FileSystemException(null, null, message);
        unreadable.initCause(cause);
        return unreadable;
    }

    private static byte[] decode(File file, String base64) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IOException("bad base64 in " + file, e);
        }
    }

    private static PrivateKey privateKey(File file, PKCS8EncodedKeySpec encoded) throws GeneralSecurityException {
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // try the next one
            }
        }
        throw new InvalidKeySpecException(
                "unknown kind of key in " + file + "; supported are: " + String.join(", ", KEY_ALGORITHMS));
    }

    private static PKCS8EncodedKeySpec decrypt(File file, byte[] encoded, String password)
            throws IOException, GeneralSecurityException {
        if (password == null || password.isEmpty()) {
            throw new InvalidKeyException("the key in " + file + " is encrypted, but no password was given");
        }
        EncryptedPrivateKeyInfo info = encrypted(file, encoded);
        String algorithm = info.getAlgName();
        if (algorithm.equals(PBES2) || algorithm.startsWith("1.2.840.113549.1.5.13")) {
            algorithm = info.getAlgParameters().toString();
        }
        Cipher cipher = Cipher.getInstance(algorithm);
        PBEKeySpec passwordSpec = new PBEKeySpec(password.toCharArray());
        try {
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(algorithm).generateSecret(passwordSpec),
                    info.getAlgParameters());
            return info.getKeySpec(cipher);
        } catch (InvalidKeySpecException | InvalidKeyException e) {
            throw new InvalidKeyException("cannot decrypt the key in " + file + "; wrong password?", e);
        } finally {
            passwordSpec.clearPassword();
        }
    }

    private static EncryptedPrivateKeyInfo encrypted(File file, byte[] encoded) throws IOException {
        try {
            return new EncryptedPrivateKeyInfo(encoded);
        } catch (IOException e) {
            throw new IOException("bad encrypted key in " + file + ": " + e.getMessage(), e);
        }
    }
}
