package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("crypto")
class KeyPairsTest {
    @Test
    void shouldMatchAPrivateKeyOnlyWithItsOwnPublicKey() throws Exception {
        Map<String, KeyPair> pairs = new HashMap<>();
        for (String kind : new String[] {"RSA", "RSASSA-PSS", "EC", "DSA", "Ed25519", "Ed448"}) {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
            pairs.put(kind, generator.generateKeyPair());
            pairs.put(kind + " 2", generator.generateKeyPair());
        }
        pairs.forEach((name, own) -> pairs.forEach((otherName, other) -> assertEquals(
                name.equals(otherName),
                KeyPairs.matches(own.getPrivate(), other.getPublic()),
                name + " with the public key of " + otherName)));
    }
}
