package org.freshet.example.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import java.util.List;

/**
 * Messages of gRPC's interoperability tests ({@code grpc/testing/messages.proto}), by field number, because their
 * classes aren't published.
 */
final class TestMessages {
    /** In requests and answers: a Payload. */
    static final int REQUEST_PAYLOAD = 3;

    static final int ANSWER_PAYLOAD = 1;

    /** In a SimpleRequest. */
    static final int RESPONSE_SIZE = 2;

    /** In a StreamingOutputCallRequest: ResponseParameters, whose first field is a size. */
    static final int RESPONSE_PARAMETERS = 2;

    /** In requests: an EchoStatus with a code and a message. */
    static final int RESPONSE_STATUS = 7;

    private static final int BODY = 2;

    private TestMessages() {}

    /** Pairs of a number and a value: an Integer, a String or a message. */
    static UnknownFieldSet of(Object... fields) {
        UnknownFieldSet.Builder message = UnknownFieldSet.newBuilder();
        for (int i = 0; i < fields.length; i += 2) {
            message.mergeField((Integer) fields[i], field(fields[i + 1]));
        }
        return message.build();
    }

    private static Field field(Object value) {
        Field.Builder field = Field.newBuilder();
        if (value instanceof Integer number) {
            field.addVarint(number);
        } else if (value instanceof String text) {
            field.addLengthDelimited(ByteString.copyFromUtf8(text));
        } else {
            field.addLengthDelimited(((UnknownFieldSet) value).toByteString());
        }
        return field.build();
    }

    static UnknownFieldSet payload(int size) {
        return UnknownFieldSet.newBuilder()
                .addField(
                        BODY,
                        Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFrom(new byte[size]))
                                .build())
                .build();
    }

    static UnknownFieldSet parse(byte[] message) throws InvalidProtocolBufferException {
        return UnknownFieldSet.parseFrom(message);
    }

    /** 0 if the field is missing. */
    static int number(UnknownFieldSet message, int number) {
        List<Long> values = message.getField(number).getVarintList();
        return values.isEmpty() ? 0 : values.get(values.size() - 1).intValue();
    }

    /** Empty if the field is missing. */
    static String text(UnknownFieldSet message, int number) {
        List<ByteString> values = message.getField(number).getLengthDelimitedList();
        return values.isEmpty() ? "" : values.get(values.size() - 1).toStringUtf8();
    }

    static List<UnknownFieldSet> messages(UnknownFieldSet message, int number) {
        return message.getField(number).getLengthDelimitedList().stream()
                .map(TestMessages::parse)
                .toList();
    }

    private static UnknownFieldSet parse(ByteString message) {
        try {
            return UnknownFieldSet.parseFrom(message);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The size of the payload in a field; 0 if the field is missing. */
    static int payloadSize(UnknownFieldSet message, int number) {
        return messages(message, number).stream()
                .mapToInt(each -> each.getField(BODY).getLengthDelimitedList().stream()
                        .mapToInt(ByteString::size)
                        .sum())
                .sum();
    }
}
