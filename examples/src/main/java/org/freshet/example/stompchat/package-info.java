/** A chat over STOMP with topics, subscriptions, receipts and heart-beats. Read {@code StompChat} first. */
package org.freshet.example.stompchat;
