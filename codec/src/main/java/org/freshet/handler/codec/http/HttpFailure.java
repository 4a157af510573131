package org.freshet.handler.codec.http;

/**
 * Why a received message was refused, in a way that a server can answer. Each of HTTP's own exceptions implements this;
 * the decoder that throws one reads nothing more of its connection.
 *
 * <pre>{@code
 * public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
 *     if (e.getCause() instanceof HttpFailure) {
 *         HttpResponseStatus status = ((HttpFailure) e.getCause()).suggestedStatus();
 *         HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
 *         HttpHeaders.setContentLength(response, 0);
 *         HttpHeaders.setKeepAlive(response, false);
 *         e.getChannel().write(response).addListener(ChannelFutureListener.CLOSE);
 *     } else {
 *         e.getChannel().close();
 *     }
 * }
 * }</pre>
 */
public interface HttpFailure {
    /** What to answer, of the 4xx or 5xx class; never null. */
    HttpResponseStatus suggestedStatus();

    /** What was wrong, fit for a log. */
    String getMessage();
}
