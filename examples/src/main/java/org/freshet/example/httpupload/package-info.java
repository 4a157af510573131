/** Files uploaded by a form, within limits, and a client that checks what arrived. */
package org.freshet.example.httpupload;
