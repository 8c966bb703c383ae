/**
 * Rules of one kind, each under a name of its own: of limits, of pricing, of cover. A change applies in the process that makes it before it is
 * answered, and in every other one within a second.
 */
import { versionedConfig } from '../connection/caches.js';
import type { Connection } from '../connection/connection.js';
import { StoreUnavailable } from '../connection/errors.js';
import { step } from '../connection/scripts.js';

export interface Rules<Rule> {
  /**
   * Makes of the rule of that name what `change` returns: undefined removes it. Returns the rule before and after. `change` may be called again
   * where another process changes the rule meanwhile: after 20 times StoreUnavailable is thrown. TypeError for an invalid name.
   */
  change(
    name: string,
    change: (before: Rule | undefined) => Rule | undefined,
  ): Promise<{ readonly before: Rule | undefined; readonly after: Rule | undefined }>;
  /** By name, in order of names. */
  load(): Promise<ReadonlyMap<string, Rule>>;
  /** Called with all rules after each change, and once soon after the first subscription; the newest rules apply. */
  onChange(changed: (rules: ReadonlyMap<string, Rule>) => void): () => void;
  close(): void;
}

interface Parts<Rule> {
  /** The tag of its keys, and the beginning of its channel. */
  readonly kind: 'limits' | 'pricing' | 'cover';
  /** For the log, in the plural. */
  readonly what: string;
  /** Throws TypeError. */
  checkName(name: string): void;
  /** From its JSON; throws where it is none of this release. */
  parse(name: string, json: unknown): Rule;
}

export const SET_RULE = step(import.meta.url, 'set-rule', {
  keys: ['rules', 'version'],
  args: ['name', 'before', 'rule?'],
});

/** Each time, another process has changed the rule in between. */
const TRIES_MAX = 20;

export function rules<Rule>(connection: Connection, { kind, what, checkName, parse }: Parts<Rule>): Rules<Rule> {
  const [kept, version] = [`{${kind}}:rules`, `{${kind}}:version`];
  const ruleOf = (name: string, text: string): Rule => parse(name, JSON.parse(text));
  const load = async (): Promise<ReadonlyMap<string, Rule>> => {
    const found = await connection.read((redis) => redis.hgetall(kept));
    const names = Object.keys(found).sort();
    return new Map(names.map((name) => [name, ruleOf(name, found[name]!)]));
  };
  const all = versionedConfig(connection, { name: what, version, channel: `${kind}:changed`, load });
  return {
    async change(name, change) {
      checkName(name);
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        const text = (await connection.read((redis) => redis.hget(kept, name))) ?? '';
        const before = text === '' ? undefined : ruleOf(name, text);
        const after = change(before);
        const rule = after === undefined ? '' : JSON.stringify(after);
        if (rule === text) return { before, after };
        if ((await connection.step(SET_RULE, { rules: kept, version }, { name, before: text, rule })) !== 1) continue;
        await all.announce();
        return { before, after };
      }
      throw new StoreUnavailable('none');
    },
    load,
    onChange: all.onChange,
    close: all.close,
  };
}
