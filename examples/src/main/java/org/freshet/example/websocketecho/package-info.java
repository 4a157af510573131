/** Messages of WebSocket, echoed: a server, and a client that verifies what comes back. */
package org.freshet.example.websocketecho;
