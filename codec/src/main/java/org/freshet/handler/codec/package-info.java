/**
 * Codecs: one package a protocol or a technique. Start with {@code frame}, which cuts a byte stream into messages, and
 * {@code oneone}, which turns one message into another; {@code embedder} runs both without a network.
 */
package org.freshet.handler.codec;
