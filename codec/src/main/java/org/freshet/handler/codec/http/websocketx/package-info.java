/** WebSocket: frames, and what they consist of. */
package org.freshet.handler.codec.http.websocketx;
