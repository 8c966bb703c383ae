import type { MessageView } from '../codec/message-view.js';
import { DataPairs, STANDARD_PAIRS } from '../codec/text-form.js';
import type { Dictionary } from '../dictionary/dictionary.js';
import { sessionDictionary } from '../dictionary/session-definitions.js';
import {
  invalidMsgType,
  REJECT_REASONS,
  type ValidationOptions,
  type Violation,
  validate,
} from '../dictionary/validate.js';
import { type BeginString, VERSION_RULES, type VersionRules, versionRules } from '../version-rules.js';

/** One version of FIX that a session may have, and what its messages are validated with. */
export interface VersionOptions {
  readonly beginString: BeginString;
  /**
   * FIX.4.x: the whole dictionary. FIXT.1.1: the transport's, with header, trailer and session messages. Absent, or without session
   * messages: the package's own definitions of those; the bodies of application messages that it does not define are not validated.
   * `none`: no message is validated, for a peer with a dialect of its own; a field that cannot be read is refused all the same.
   */
  readonly dictionary?: Dictionary | 'none';
  /**
   * FIXT.1.1 only: a dictionary for each ApplVerID(1128) that is accepted, such as `{ 7: fix50, 9: fix50sp2 }`; 2 to 6 are FIX.4.0 to
   * FIX.4.4. Absent: every ApplVerID, and the bodies of application messages are not validated.
   */
  readonly applications?: Readonly<Record<string, Dictionary>>;
}

/**
 * A version with its rules and compiled dictionaries. In FIXT.1.1 an application message is validated with the dictionary of its
 * ApplVerID(1128), else of the DefaultApplVerID(1137) of the peer's Logon(A). ApplExtID(1156), CstmApplVerID(1129) and the versions by
 * MsgType(35) of a Logon(A) (NoMsgTypes(384)) choose no dictionary: the application reads them from the message.
 */
export class Protocol {
  readonly beginString: BeginString;
  readonly rules: VersionRules;
  /** The data fields of all its dictionaries. */
  readonly dataPairs: DataPairs;
  readonly #session: Dictionary | undefined;
  /** Each with header, trailer and session messages of the transport. */
  readonly #applications: ReadonlyMap<string, Dictionary> | undefined;
  readonly #dictionaries: readonly Dictionary[];

  /** Throws an Error with one clear line for a version that there is not, and for dictionaries that it cannot have. */
  constructor({ applications, beginString, dictionary }: VersionOptions) {
    if (!Object.hasOwn(VERSION_RULES, beginString)) {
      throw new Error(`beginString ${beginString} is none of ${Object.keys(VERSION_RULES).join(', ')}`);
    }
    this.beginString = beginString;
    this.rules = versionRules(beginString);
    this.#session = withSessionMessages(beginString, dictionary);
    this.#dictionaries = [this.#session ?? sessionDictionary(beginString)];
    this.dataPairs = this.#session?.dataPairs ?? STANDARD_PAIRS;
    if (applications === undefined) return;
    if (!this.rules.hasApplVerId) throw new Error(`${beginString} has one dictionary: applications are of FIXT.1.1`);
    const compiled = Object.entries(applications).map(
      ([applVerId, application]) => [applVerId, this.#session?.with(application) ?? application] as const,
    );
    this.#applications = new Map(compiled);
    this.#dictionaries = [...this.#dictionaries, ...this.#applications.values()];
    this.dataPairs = new DataPairs(compiled.flatMap(([, application]) => application.dataPairs.pairs));
  }

  /** A dictionary has this MsgType(35); without one, it is a session message. */
  knows(msgType: string): boolean {
    for (const dictionary of this.#dictionaries) if (dictionary.knows(msgType)) return true;
    return false;
  }

  /** Text(58) of the Logout(5) where there is no dictionary for a DefaultApplVerID(1137); undefined: there is one, or none is needed. */
  applVerIdFault(applVerId: string | undefined): string | undefined {
    if (applVerId === undefined || this.#applications === undefined || this.#applications.has(applVerId))
      return undefined;
    return `${REJECT_REASONS.INVALID_APPLICATION_VERSION.text} (1137)`;
  }

  /** The first violation of a message of a peer with this DefaultApplVerID(1137), or undefined. */
  validate(view: MessageView, applVerId: string | undefined, options: ValidationOptions): Violation | undefined {
    const session = this.#session;
    if (session === undefined) return view.unreadable ?? (view.msgType === '' ? invalidMsgType() : undefined);
    if (this.#applications === undefined || session.knows(view.msgType)) return validate(view, session, options);
    // An empty ApplVerID(1128) is refused by any of them.
    const dictionary = this.#applications.get(view.string(1128) || (applVerId ?? ''));
    if (dictionary !== undefined) return validate(view, dictionary, options);
    const { reason, text } = REJECT_REASONS.INVALID_APPLICATION_VERSION;
    return { reason, text, tag: 1128 };
  }
}

function withSessionMessages(beginString: BeginString, given: VersionOptions['dictionary']): Dictionary | undefined {
  if (given === 'none') return undefined;
  if (given?.knows('A')) return given;
  const own = sessionDictionary(beginString);
  return given === undefined ? own : own.with(given);
}
