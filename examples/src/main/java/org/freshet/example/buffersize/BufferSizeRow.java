package org.freshet.example.buffersize;

import java.util.Locale;

/**
 * The result for one size of receive buffer.
 *
 * @param askedBytes 0 if the kernel chose the size
 * @param actualBytes the size that the kernel set
 */
record BufferSizeRow(int askedBytes, int actualBytes, double medianMillis, double decoderCalls, int requests) {
    static final String CSV_HEADER = "asked bytes,actual bytes,median ms,decoder calls per request,requests";

    String toCsv() {
        String asked = askedBytes == 0 ? "auto" : String.valueOf(askedBytes);
        return String.format(
                Locale.ROOT, "%s,%d,%.3f,%.2f,%d", asked, actualBytes, medianMillis, decoderCalls, requests);
    }
}
