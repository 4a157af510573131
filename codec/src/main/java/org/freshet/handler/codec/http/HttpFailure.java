package org.freshet.handler.codec.http;

/**
 * Says why a received message was refused, in a form that a server can turn into a response. All of Freshet's HTTP
 * exceptions for bad input implement this. A decoder that throws one reads nothing more from its connection.
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
    /** The status to answer with, 4xx or 5xx; never null. */
    HttpResponseStatus suggestedStatus();

    /** A description of what was wrong, fit for a log. */
    String getMessage();
}
