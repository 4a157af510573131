package org.freshet.example.buffersize;

import java.util.Locale;

/**
 * What one size of receive buffer gave.
 *
 * @param askedBytes 0 when the server tuned it
 * @param actualBytes what the kernel made of it
 */
record BufferSizeRow(int askedBytes, int actualBytes, double meanMillis, double decoderCalls) {
    String toCsv() {
        String asked = askedBytes == 0 ? "auto" : String.valueOf(askedBytes);
        return String.format(Locale.ROOT, "%s,%d,%.3f,%.2f", asked, actualBytes, meanMillis, decoderCalls);
    }
}
