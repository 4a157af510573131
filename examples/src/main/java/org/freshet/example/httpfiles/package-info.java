/** The files of a directory over HTTP, with ranges, conditions, compression, CORS and an access log. */
package org.freshet.example.httpfiles;
