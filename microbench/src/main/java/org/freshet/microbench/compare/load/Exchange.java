package org.freshet.microbench.compare.load;

/**
 * The messages that a connection sends, and the expected answer to each.
 *
 * @param answer in an echo, the same object as {@code request}; its bytes may come back before their message is
 *     complete
 */
record Exchange(Pattern request, int requestBytes, Pattern answer, int answerBytes) {
    /** Every message comes back unchanged. */
    static Exchange echo(Pattern pattern, int messageBytes) {
        return new Exchange(pattern, messageBytes, pattern, messageBytes);
    }

    /** Every request is the same, and so is every answer. */
    static Exchange of(byte[] request, byte[] answer) {
        return new Exchange(Pattern.repeating(request), request.length, Pattern.repeating(answer), answer.length);
    }

    /** Returns how many bytes may have come back after {@code writtenBytes} were sent. */
    long answerableBytes(long writtenBytes) {
        return answer == request ? writtenBytes : writtenBytes / requestBytes * answerBytes;
    }
}
