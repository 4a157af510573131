/** A custom binary protocol with a replaying decoder. Read {@code FactorialDecoder} first. */
package org.freshet.example.factorial;
