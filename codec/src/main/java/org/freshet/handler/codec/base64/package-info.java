/**
 * Base64. {@link org.freshet.handler.codec.base64.Base64} converts buffers; the handlers convert messages. On a stream,
 * put a delimiter-based frame decoder before the decoder.
 */
package org.freshet.handler.codec.base64;
