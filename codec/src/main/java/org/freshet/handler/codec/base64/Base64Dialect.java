package org.freshet.handler.codec.base64;

/** The alphabets of Base64. All pad with {@code =} to a multiple of four characters. */
public enum Base64Dialect {
    /** {@code A-Z a-z 0-9 + /}, as in RFC 4648, section 4. Broken into lines of 76 characters by default. */
    STANDARD("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", true),

    /** {@code A-Z a-z 0-9 - _}, as in RFC 4648, section 5. One line by default. */
    URL_SAFE("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", false),

    /**
     * {@code - 0-9 A-Z _ a-z}: encoded text sorts like the bytes. Not in any standard. Broken into lines of 76
     * characters by default.
     */
    ORDERED("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz", true);

    final Alphabet alphabet;
    final boolean breakLinesByDefault;

    Base64Dialect(String characters, boolean breakLinesByDefault) {
        this.alphabet = new Alphabet(characters);
        this.breakLinesByDefault = breakLinesByDefault;
    }
}
