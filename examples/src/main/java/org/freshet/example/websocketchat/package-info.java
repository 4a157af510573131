/** A chat in the browser: one frame to a group of WebSocket connections. */
package org.freshet.example.websocketchat;
