import type { Application, Session } from '../types.js';

/**
 * Wraps the application's callbacks: a callback that throws is reported and its session logged out, so that one peer's message cannot end
 * all sessions. Without `onError` the application is returned unchanged.
 */
export function safeApplication(application: Application): Application {
  const { onError } = application;
  if (onError === undefined) return application;
  const fenced =
    <A extends unknown[]>(callback: (session: Session, ...more: A) => void) =>
    (session: Session, ...more: A): void => {
      try {
        callback.call(application, session, ...more);
      } catch (error) {
        onError.call(application, session, error);
        session.logout('Internal error');
      }
    };
  // On an error the message is resent: a report that is gap-filled would be lost.
  const fencedAnswer =
    (mayResend: NonNullable<Application['mayResend']>): typeof mayResend =>
    (session, message) => {
      try {
        return mayResend.call(application, session, message);
      } catch (error) {
        onError.call(application, session, error);
        session.logout('Internal error');
        return true;
      }
    };
  const { onDrain, onResent, onEvent, mayResend } = application;
  return {
    authenticate: (attempt) => application.authenticate(attempt),
    onLogon: fenced(application.onLogon),
    onMessage: fenced(application.onMessage),
    onLogout: fenced(application.onLogout),
    onError: (session, error) => onError.call(application, session, error),
    ...(onDrain && { onDrain: fenced(onDrain) }),
    ...(onResent && { onResent: fenced(onResent) }),
    ...(onEvent && { onEvent: onEvent.bind(application) }),
    ...(mayResend && { mayResend: fencedAnswer(mayResend) }),
  };
}
