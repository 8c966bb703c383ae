/** SessionRejectReason(373) and its standard Text(58). */
export const REJECT_REASONS = {
  INVALID_TAG_NUMBER: { reason: 0, text: 'Invalid tag number' },
  REQUIRED_TAG_MISSING: { reason: 1, text: 'Required tag missing' },
  TAG_NOT_DEFINED_FOR_MESSAGE: { reason: 2, text: 'Tag not defined for this message type' },
  TAG_WITHOUT_VALUE: { reason: 4, text: 'Tag specified without a value' },
  VALUE_INCORRECT: { reason: 5, text: 'Value is incorrect (out of range) for this tag' },
  INCORRECT_DATA_FORMAT: { reason: 6, text: 'Incorrect data format for value' },
  COMPID_PROBLEM: { reason: 9, text: 'CompID problem' },
  SENDING_TIME_ACCURACY: { reason: 10, text: 'SendingTime accuracy problem' },
  INVALID_MSG_TYPE: { reason: 11, text: 'Invalid MsgType' },
  TAG_REPEATED: { reason: 13, text: 'Tag appears more than once' },
  TAG_OUT_OF_ORDER: { reason: 14, text: 'Tag specified out of required order' },
  GROUP_OUT_OF_ORDER: { reason: 15, text: 'Repeating group fields out of order' },
  INCORRECT_GROUP_COUNT: { reason: 16, text: 'Incorrect NumInGroup count for repeating group' },
} as const;

export interface RejectReason {
  readonly reason: number;
  readonly text: string;
}
