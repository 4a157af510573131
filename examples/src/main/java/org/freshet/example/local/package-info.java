/** A server and a client within one JVM, without sockets: the same bootstraps, pipelines and events. */
package org.freshet.example.local;
