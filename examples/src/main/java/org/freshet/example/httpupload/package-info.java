/** File uploads with a form, within limits, and a client that checks the result. */
package org.freshet.example.httpupload;
