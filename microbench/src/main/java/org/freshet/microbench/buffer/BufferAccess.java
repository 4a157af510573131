package org.freshet.microbench.buffer;

/** Gets and sets of each width on one buffer of any library. Values are widened to long. */
interface BufferAccess {
    long getByte(int index);

    long getShort(int index);

    long getMedium(int index);

    long getInt(int index);

    long getLong(int index);

    void setByte(int index, long value);

    void setShort(int index, long value);

    void setMedium(int index, long value);

    void setInt(int index, long value);

    void setLong(int index, long value);
}
