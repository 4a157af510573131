/** A TLS server whose certificate is renewed while it runs. Start with {@link org.freshet.example.tlsreload.TlsReload}. */
package org.freshet.example.tlsreload;
