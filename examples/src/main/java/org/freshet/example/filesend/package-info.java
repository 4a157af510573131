/**
 * A file of any size in little memory: read in chunks as the connection takes them, at a limited rate, with progress
 * and a hash that the receiver verifies. Read {@code FileSend} first.
 */
package org.freshet.example.filesend;
