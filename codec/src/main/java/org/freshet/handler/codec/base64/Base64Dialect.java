package org.freshet.handler.codec.base64;

/** The alphabets of Base64. All pad with {@code =} to a multiple of four characters. */
public enum Base64Dialect {
    /** {@code A-Z a-z 0-9 + /}, as in RFC 4648, section 4. Encoded in lines of 76 characters unless told otherwise. */
    STANDARD("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", true),

    /** {@code A-Z a-z 0-9 - _}, as in RFC 4648, section 5. Encoded in one line unless told otherwise. */
    URL_SAFE("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", false),

    /**
     * {@code - 0-9 A-Z _ a-z}: sorts as the bytes do. Not in any standard. Encoded in lines of 76 characters unless told
     * otherwise.
     */
    ORDERED("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz", true);

    final Alphabet alphabet;
    final boolean breakLinesByDefault;

    Base64Dialect(String characters, boolean breakLinesByDefault) {
        this.alphabet = new Alphabet(characters);
        this.breakLinesByDefault = breakLinesByDefault;
    }
}
