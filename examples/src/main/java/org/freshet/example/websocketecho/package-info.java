/** A WebSocket echo server, and a client that verifies the answers. */
package org.freshet.example.websocketecho;
