/** Several protocols on one port, distinguished by their first bytes. Read {@code ProtocolDetector} first. */
package org.freshet.example.portunification;
