/** Sessions of a settings file that share an address, a version and a dictionary. */
import { isCompId, sessionKey } from '../session/live-sessions.js';
import type { VersionOptions } from '../session/protocol.js';
import type { AcceptorOptions } from '../transport/acceptor.js';
import type { Application, SessionId, SessionProfile } from '../types.js';
import type { CfgSection } from './cfg-file.js';

type Options = Omit<AcceptorOptions, 'application' | 'store'>;

/** The acceptor of one address, and the profiles of its sessions. */
export interface AcceptorSettings {
  /** Add `application`, with `authenticate` below or one of your own, and `store`, and where wanted `log`. */
  readonly options: Options;
  /** Accepts the sessions of the file with their profiles, and closes the connection of any other. It asks for no password: the file has none. */
  readonly authenticate: Application['authenticate'];
  /** By `sessionKey`: what `authenticate` accepts with; a session that is not among them is not in the file. */
  readonly profiles: ReadonlyMap<string, SessionProfile>;
}

export interface Listener extends AcceptorSettings {
  readonly options: Omit<Options, 'compIdPattern'> & {
    versions: VersionOptions[];
    senderCompIds: string[];
    compIdPattern?: RegExp;
  };
  readonly profiles: Map<string, SessionProfile>;
  /** Ids that the acceptor does not admit without a pattern. */
  readonly unusualIds: Set<string>;
}

/** Adds a session to the listener of its address, by `host:port`, with the problems of what it cannot share. */
export function addToListener(
  section: CfgSection,
  {
    id,
    version,
    profile,
  }: { readonly id: SessionId; readonly version: VersionOptions; readonly profile: SessionProfile },
  address: Pick<Options, 'host' | 'port' | 'tls'> & { readonly limits?: { readonly logonTimeoutMs: number } },
  listeners: Map<string, Listener>,
): void {
  const key = `${address.host}:${address.port}`;
  const listener = listeners.get(key) ?? newListener(address);
  const { options, profiles, unusualIds } = listener;
  if (JSON.stringify(address.tls) !== JSON.stringify(options.tls)) {
    const text = 'the first session of the address has another TLS: give this one a port of its own';
    section.problem('SocketUseSSL', 'unsupported', text);
    return;
  }
  if (address.limits?.logonTimeoutMs !== options.limits?.logonTimeoutMs)
    section.problem('LogonTimeout', 'unsupported', 'that of the first session of the address applies');
  listeners.set(key, listener);
  addVersion(section, options.versions, version);
  if (!options.senderCompIds.includes(id.senderCompId)) options.senderCompIds.push(id.senderCompId);
  const { beginString: _, ...parts } = id;
  for (const part of Object.values(parts)) if (!isCompId(part)) unusualIds.add(part);
  if (unusualIds.size > 0) {
    const escaped = [...unusualIds].map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    options.compIdPattern = new RegExp(['[A-Za-z0-9._-]{1,32}', ...escaped].join('|'));
  }
  profiles.set(sessionKey(id), profile);
}

function newListener(address: Pick<Options, 'host' | 'port' | 'tls'>): Listener {
  const profiles = new Map<string, SessionProfile>();
  return {
    options: { ...address, versions: [], senderCompIds: [], identifyBy: ['subId', 'locationId'] },
    authenticate({ id }) {
      const profile = profiles.get(sessionKey(id));
      return profile ? { accept: true, profile, reply: [], context: undefined } : { accept: false, silent: true };
    },
    profiles,
    unusualIds: new Set(),
  };
}

/** Sessions of a version share its dictionary, and have one for each ApplVerID(1128). */
function addVersion(section: CfgSection, versions: VersionOptions[], added: VersionOptions): void {
  const at = versions.findIndex(({ beginString }) => beginString === added.beginString);
  const first = versions[at];
  if (first === undefined) {
    versions.push(added);
    return;
  }
  const differs = (...keys: string[]): void => {
    const text = 'that of the first session of the address and version applies: give this one a port of its own';
    section.problem(keys.find((key) => section.has(key)) ?? keys[0]!, 'unsupported', text);
  };
  if (first.dictionary !== added.dictionary) differs('DataDictionary', 'TransportDataDictionary', 'UseDataDictionary');
  const { applications } = first;
  // Without any, every ApplVerID is accepted.
  if ((applications === undefined) !== (added.applications === undefined)) differs('AppDataDictionary');
  if (applications === undefined || added.applications === undefined) return;
  const isOther = ([applVerId, dictionary]: [string, unknown]): boolean =>
    (applications[applVerId] ?? dictionary) !== dictionary;
  if (Object.entries(added.applications).some(isOther)) differs('AppDataDictionary');
  versions[at] = { ...first, applications: { ...added.applications, ...applications } };
}
