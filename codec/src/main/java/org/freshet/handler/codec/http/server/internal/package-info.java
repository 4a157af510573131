/**
 * What handlers of several packages share that answer requests themselves; start at {@link
 * org.freshet.handler.codec.http.server.internal.AnswerQueue}. Not exported.
 */
package org.freshet.handler.codec.http.server.internal;
