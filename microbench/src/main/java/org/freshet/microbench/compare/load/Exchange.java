package org.freshet.microbench.compare.load;

/**
 * What a connection sends, message after message, and what has to come back for each.
 *
 * @param answer the same object as {@code request} in an echo, whose bytes may come back before their message is whole
 */
record Exchange(Pattern request, int requestBytes, Pattern answer, int answerBytes) {
    /** Every message comes back as it went. */
    static Exchange echo(Pattern pattern, int messageBytes) {
        return new Exchange(pattern, messageBytes, pattern, messageBytes);
    }

    /** The same request always, and always the same answer. */
    static Exchange of(byte[] request, byte[] answer) {
        return new Exchange(Pattern.repeating(request), request.length, Pattern.repeating(answer), answer.length);
    }

    /** How many bytes may have come back when {@code writtenBytes} were sent. */
    long answerableBytes(long writtenBytes) {
        return answer == request ? writtenBytes : writtenBytes / requestBytes * answerBytes;
    }
}
