package org.freshet.handler.codec.spdy;

import java.util.Set;

/** SETTINGS: properties of the sender's side of the session, by ID. */
public interface SpdySettingsFrame extends SpdyFrame {
    int SETTINGS_MINOR_VERSION = 0;
    int SETTINGS_UPLOAD_BANDWIDTH = 1;
    int SETTINGS_DOWNLOAD_BANDWIDTH = 2;
    int SETTINGS_ROUND_TRIP_TIME = 3;
    int SETTINGS_MAX_CONCURRENT_STREAMS = 4;
    int SETTINGS_CURRENT_CWND = 5;
    int SETTINGS_DOWNLOAD_RETRANS_RATE = 6;
    int SETTINGS_INITIAL_WINDOW_SIZE = 7;
    int SETTINGS_CLIENT_CERTIFICATE_VECTOR_SIZE = 8;

    /** The IDs in ascending order. */
    Set<Integer> getIds();

    boolean isSet(int id);

    /** The value, or -1 if it is not set. */
    int getValue(int id);

    /** Sets a value without the two persistence flags. */
    void setValue(int id, int value);

    /**
     * @param id 0 to 16,777,215
     * @param persistVal whether the receiver should remember the value for the next session
     * @param persisted whether the sender returns a value that it was asked to remember
     */
    void setValue(int id, int value, boolean persistVal, boolean persisted);

    void removeValue(int id);

    /** Whether the receiver should remember the value; false if it is not set. */
    boolean isPersistValue(int id);

    /** Has no effect if the value is not set. */
    void setPersistValue(int id, boolean persistValue);

    /** Whether the value was remembered from an earlier session; false if it is not set. */
    boolean isPersisted(int id);

    /** Has no effect if the value is not set. */
    void setPersisted(int id, boolean persisted);

    /** Whether the receiver should forget all remembered values. */
    boolean clearPreviouslyPersistedSettings();

    void setClearPreviouslyPersistedSettings(boolean clear);
}
