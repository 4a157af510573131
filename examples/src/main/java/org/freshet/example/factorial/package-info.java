/** A binary protocol of one's own, with a replaying decoder. Read {@code FactorialDecoder} first. */
package org.freshet.example.factorial;
