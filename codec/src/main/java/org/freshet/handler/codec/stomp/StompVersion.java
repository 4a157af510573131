package org.freshet.handler.codec.stomp;

import java.util.Objects;

/** The versions of STOMP, in ascending order. They differ in what header lines may hold and how it is escaped. */
public enum StompVersion {
    /** No escapes; no heart-beats; a CR is part of its line. */
    V1_0("1.0"),
    /** Escapes for LF, colon and backslash; a CR is part of its line. */
    V1_1("1.1"),
    /** Escapes for CR, LF, colon and backslash; a line may end with CR LF. */
    V1_2("1.2");

    private final String text;

    StompVersion(String text) {
        this.text = text;
    }

    /** As in the headers {@code version} and {@code accept-version}: {@code 1.2}. */
    @Override
    public String toString() {
        return text;
    }

    /** Returns null for a text that is not one of the versions. */
    public static StompVersion of(String text) {
        Objects.requireNonNull(text, "text");
        for (StompVersion version : values()) {
            if (version.text.equals(text)) {
                return version;
            }
        }
        return null;
    }

    /**
     * Chooses a server's answer to a {@code CONNECT} frame.
     *
     * @param acceptVersion the header {@code accept-version}; null if there is no header, which means 1.0
     * @return the highest version that both sides support; null if there is no such version: answer {@code ERROR} and
     *     close
     */
    public static StompVersion highestOf(String acceptVersion) {
        if (acceptVersion == null) {
            return V1_0;
        }
        StompVersion highest = null;
        for (String accepted : acceptVersion.split(",")) {
            StompVersion version = of(accepted.trim());
            if (version != null && (highest == null || version.compareTo(highest) > 0)) {
                highest = version;
            }
        }
        return highest;
    }
}
