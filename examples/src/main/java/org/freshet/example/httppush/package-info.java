/** Events from server to browser: long poll and server-sent events. */
package org.freshet.example.httppush;
