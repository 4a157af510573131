/** A complete HTTP server, and a client that checks its answers. */
package org.freshet.example.httphello;
