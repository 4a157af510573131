package org.freshet.handler.ssl;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;

/**
 * Checks that a private key belongs to a certificate. The JDK accepts any pair, then fails each handshake with an alert that
 * mentions neither. Stateless.
 */
final class KeyPairs {
    private static final byte[] PROBE = {'f', 'r', 'e', 's', 'h', 'e', 't'};

    private KeyPairs() {}

    /**
     * @param chain the key's own certificate comes first
     * @throws InvalidKeyException if the key doesn't belong to the first certificate
     */
    static void check(PrivateKey key, X509Certificate[] chain) throws InvalidKeyException {
        for (int i = 0; i < chain.length; i++) {
            if (matches(key, chain[i].getPublicKey())) {
                checkFirst(i);
                return;
            }
        }
        throw new InvalidKeyException("the private key (" + key.getAlgorithm() + ") does not match the certificate of "
                + chain[0].getSubjectX500Principal() + " ("
                + chain[0].getPublicKey().getAlgorithm()
                + "): pass the key for which this certificate was issued");
    }

    private static void checkFirst(int index) throws InvalidKeyException {
        if (index > 0) {
            throw new InvalidKeyException("the private key matches certificate " + (index + 1)
                    + " of the chain, not the first: put the key's certificate first, then the one that signed it");
        }
    }

    /** Whether the two belong together, as far as that can be checked. */
    static boolean matches(PrivateKey key, PublicKey certified) {
        if (key instanceof RSAKey own && certified instanceof RSAKey other) {
            return own.getModulus().equals(other.getModulus());
        }
        if (certified.getAlgorithm().equals("RSASSA-PSS")) {
            return key.getAlgorithm()
                    .startsWith("RSA"); // the modulus is not available, and the parameters would be a guess
        }
        try {
            return signsFor(key, certified);
        } catch (NoSuchAlgorithmException notChecked) {
            return true; // only the user's security provider knows this kind of key
        } catch (GeneralSecurityException otherKind) {
            return false;
        }
    }

    /** Works without the key's numbers, which a hardware module doesn't reveal. */
    private static boolean signsFor(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(algorithm(certified));
        signature.initSign(key);
        signature.update(PROBE);
        byte[] signed = signature.sign();
        signature = Signature.getInstance(algorithm(certified));
        signature.initVerify(certified);
        signature.update(PROBE);
        return verify(signature, signed);
    }

    private static boolean verify(Signature signature, byte[] signed) {
        try {
            return signature.verify(signed);
        } catch (SignatureException ofAnotherKey) {
            return false;
        }
    }

    private static String algorithm(PublicKey key) {
        String algorithm = key.getAlgorithm();
        return switch (algorithm) {
            case "RSA", "DSA" -> "SHA256with" + algorithm;
            case "EC" -> "SHA256withECDSA";
            default -> algorithm; // EdDSA: keys and signatures have the same name
        };
    }
}
