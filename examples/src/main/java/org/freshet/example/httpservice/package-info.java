/** A service of HTTP as one deploys it; start with {@link org.freshet.example.httpservice.HttpService}. */
package org.freshet.example.httpservice;
