/**
 * The syntax of HTTP that several packages share: what a name or value may hold, dates, percent signs. Knows no message;
 * not exported.
 */
package org.freshet.handler.codec.http.internal;
