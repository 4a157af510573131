/** Several protocols on one port, told apart by their first bytes. Read {@code ProtocolDetector} first. */
package org.freshet.example.portunification;
