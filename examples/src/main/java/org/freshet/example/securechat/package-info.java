/** A chat over TLS: certificates, trust, and what happens without them. Read {@code SecureChat} first. */
package org.freshet.example.securechat;
