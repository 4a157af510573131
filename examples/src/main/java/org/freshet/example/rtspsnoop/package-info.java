/** An RTSP conversation, with frames of binary data between its messages. */
package org.freshet.example.rtspsnoop;
