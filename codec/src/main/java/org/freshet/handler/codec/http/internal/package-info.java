/**
 * HTTP syntax that several packages share: allowed characters, dates, percent escapes. It knows nothing about messages,
 * and is not exported.
 */
package org.freshet.handler.codec.http.internal;
