/** A chat over TLS: certificates, trust, and what an attacker without them gets. Read {@code SecureChat} first. */
package org.freshet.example.securechat;
