/** A FIX engine: codec, dictionary, session, acceptor and initiator. See README.md. */

export { encodeMessage, type HeaderExtras } from './codec/encode.js';
export { type FrameLimits, FrameReader, type OnFrame } from './codec/frame-reader.js';
export type { GroupEntry } from './codec/group-entry.js';
export { MessageView } from './codec/message-view.js';
export {
  encodePublished,
  type HeaderTemplate,
  headerTemplate,
  publishedLengthMax,
  publishedType,
  SharedBody,
} from './codec/publish.js';
export { reverseRoute } from './codec/reverse-route.js';
export { DataPairs, type FieldEncoding, FieldError, STANDARD_PAIRS, type TextForm } from './codec/text-form.js';
export {
  formatUtcTimestamp,
  formatUtcTimestampMicros,
  parseUtcTimestamp,
  type SendingTime,
  sendingTime,
} from './codec/values.js';
export { Dictionary, type FieldSet, type MessageRules } from './dictionary/dictionary.js';
export type { EnumValues } from './dictionary/field-values.js';
export {
  REJECT_REASONS,
  type RejectReason,
  type ValidationOptions,
  type Violation,
  validate,
} from './dictionary/validate.js';
export * from './events.js';
export { FileLog, type FileLogOptions } from './log/file-log.js';
export {
  combineLogs,
  escapeLine,
  LOGGED_MAX,
  type Log,
  type SessionLog,
  splitMessages,
  unescapeLine,
} from './log/log.js';
export { type EntryOptions, type LogEntry, microClock } from './log/log-entries.js';
export { LogStream, type LogStreamOptions } from './log/log-stream.js';
export { type Redactor, redact, redactor, SECRET_TAGS } from './log/redaction.js';
export * from './schedule.js';
export type { Clock } from './session/host.js';
export { isCompId, type SessionIdField, sessionKey } from './session/live-sessions.js';
export { DEFAULT_PROFILE, profile } from './session/profile.js';
export type { VersionOptions } from './session/protocol.js';
export type { NumberRefusal } from './session/set-numbers.js';
export {
  type AcceptorSettings,
  type QuickfixSettings,
  type QuickfixSettingsOptions,
  quickfixSettings,
  type SettingProblem,
} from './settings/quickfix-settings.js';
export { DirectoryLock } from './store/directory-lock.js';
export { type FileStoreOptions, fileStoreFactory } from './store/file-store.js';
export { MemoryStore, memoryStoreFactory } from './store/memory-store.js';
export { type ImportedSession, importQuickfixStore } from './store/quickfix-files.js';
export { Acceptor, type AcceptorLimits, type AcceptorOptions } from './transport/acceptor.js';
export type { ConnectionLimits } from './transport/connection.js';
export { Initiator, type InitiatorOptions } from './transport/initiator.js';
export type { Address, ReconnectWaits } from './transport/reconnect.js';
export * from './types.js';
export * from './version-rules.js';
