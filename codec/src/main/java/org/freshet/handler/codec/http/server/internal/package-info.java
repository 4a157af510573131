/**
 * Shared by handlers of several packages that answer requests themselves. Start at
 * {@link org.freshet.handler.codec.http.server.internal.AnswerQueue}. Not exported.
 */
package org.freshet.handler.codec.http.server.internal;
