package org.freshet.example.factorial;

import java.math.BigInteger;

/** The question: the product of these numbers. */
record Range(int first, int last) {
    Range {
        if (first < 1 || last < first) {
            throw new IllegalArgumentException("not a range of positive numbers: " + first + " to " + last);
        }
    }

    /** Multiplies halves, so that factors have similar sizes: much less work than one number after another. */
    BigInteger product() {
        if (first == last) {
            return BigInteger.valueOf(first);
        }
        int middle = first + (last - first) / 2;
        return new Range(first, middle).product().multiply(new Range(middle + 1, last).product());
    }
}
