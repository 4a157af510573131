/** HTTP/1.1 and HTTP/2 on one port with the same handler, and a client with many requests on one connection. */
package org.freshet.example.http2;
