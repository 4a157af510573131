package org.freshet.channel;

import org.freshet.internal.PassesMessagesOn;

/** What a class of upstream handlers does with received messages, as far as lending is concerned. */
enum MessageTreatment {
    /** It is marked as a borrower. */
    BORROWS,

    /** It calls the next handler before it returns. */
    PASSES_ON,

    /** It may keep a message or its event. Also applies to every class that nothing is known about. */
    MAY_KEEP;

    private static final ClassValue<MessageTreatment> OF_CLASS = new ClassValue<>() {
        @Override
        protected MessageTreatment computeValue(Class<?> type) {
            return treatmentBy(type);
        }
    };

    static MessageTreatment of(ChannelUpstreamHandler handler) {
        return OF_CLASS.get(handler.getClass());
    }

    private static MessageTreatment treatmentBy(Class<?> type) {
        if (type.isAnnotationPresent(ChannelHandler.Borrower.class)) {
            return BORROWS;
        }
        boolean passesOn = type.isAnnotationPresent(PassesMessagesOn.class)
                || SimpleMethods.isInherited(type, "handleUpstream", ChannelEvent.class)
                        && SimpleMethods.isInherited(type, "messageReceived", MessageEvent.class);
        return passesOn ? PASSES_ON : MAY_KEEP;
    }
}
