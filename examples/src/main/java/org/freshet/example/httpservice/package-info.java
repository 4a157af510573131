/** An HTTP service that you could deploy; start with {@link org.freshet.example.httpservice.HttpService}. */
package org.freshet.example.httpservice;
