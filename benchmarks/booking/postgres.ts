/**
 * The same double entry as a PostgreSQL function with synchronous_commit=on, driven by pgbench: request id first, row locks in one order,
 * four moves, booking, journal. A server of its own in a directory of its own, on a Unix socket; undefined where PostgreSQL is not
 * installed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';

const SCHEMA = `
create table balance (client int, name text, minor bigint not null, primary key (client, name));
create table booking (id text primary key, client int not null, facts text not null);
create table receipt (client int, request text, fingerprint text not null, booking text not null, primary key (client, request));
create table journal (id bigserial primary key, client int not null, at timestamptz not null default now(), booking text, moves text);
insert into balance select c, n, case n when 'USD/account' then 900000000000000 else 0 end
  from generate_series(1, 100) c, unnest(array['EUR/account', 'USD/account', 'EUR/house:fx', 'USD/house:fx', 'USD/house:margin']) n;
create function book_fx(c int, r text, sell bigint, buy bigint, margin bigint, facts text) returns text language plpgsql as $$
declare known text; available bigint;
begin
  select booking into known from receipt where client = c and request = r;
  if found then return known; end if;
  select minor into available from balance where client = c and name = 'USD/account' for update;
  if available < sell then return 'INSUFFICIENT_BALANCE'; end if;
  update balance b set minor = b.minor + d.amount from (values ('EUR/account', buy), ('EUR/house:fx', -buy), ('USD/account', -sell),
    ('USD/house:fx', sell - margin), ('USD/house:margin', margin)) d (name, amount) where b.client = c and b.name = d.name;
  insert into booking values ('B' || r, c, facts);
  insert into receipt values (c, r, 'benchmark', 'B' || r);
  insert into journal (client, booking, moves) values (c, 'B' || r, 'USD account house:fx;EUR house:fx account;USD house:fx house:margin');
  return 'B' || r;
end $$;
`;

const CALL = `\\set c random(1, 100)
\\set r random(1, 9000000000000000)
select book_fx(:c, :r::text, 108436, 100000, 272, '${'x'.repeat(520)}');
`;

export interface Postgres {
  /** Bookings a second. */
  run(callers: number, seconds: number): number;
  stop(): void;
}

export function startPostgres(): Postgres | undefined {
  const bin = binaries();
  if (bin === undefined) return undefined;
  const dir = mkdtempSync(path.join(tmpdir(), 'ratewire-pg-'));
  chmodSync(dir, 0o777);
  // PostgreSQL refuses to run as root: then its own user runs it.
  const as = userInfo().uid === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
  const run = (program: string, ...args: string[]): string => {
    const [command, ...rest] = [...as, path.join(bin, program), ...args];
    return execFileSync(command!, rest, { encoding: 'utf8', cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const data = path.join(dir, 'data');
  run('initdb', '-D', data, '-A', 'trust', '-U', 'bench', '--no-sync');
  const options = `-c listen_addresses= -c unix_socket_directories=${dir} -c synchronous_commit=on -c fsync=on -c max_connections=300`;
  spawnSync(
    [...as, path.join(bin, 'pg_ctl')][0]!,
    [...as, path.join(bin, 'pg_ctl'), '-D', data, '-o', options, '-l', path.join(dir, 'log'), '-w', 'start'].slice(1),
    { stdio: 'ignore' },
  );
  const at = ['-h', dir, '-U', 'bench'];
  writeFileSync(path.join(dir, 'schema.sql'), SCHEMA, { mode: 0o644 });
  writeFileSync(path.join(dir, 'call.sql'), CALL, { mode: 0o644 });
  run('psql', ...at, '-q', '-d', 'postgres', '-f', path.join(dir, 'schema.sql'));
  return {
    run(callers, seconds) {
      const load = ['-n', '-M', 'prepared', '-c', String(callers), '-j', '2', '-T', String(seconds)];
      const output = run('pgbench', ...at, ...load, '-f', path.join(dir, 'call.sql'), 'postgres');
      return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
    },
    stop() {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function binaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = [...versions.map((version) => path.join(debian, version, 'bin')), '/usr/local/bin', '/usr/bin'];
  return candidates.find((dir) =>
    ['initdb', 'pg_ctl', 'pgbench', 'psql'].every((name) => existsSync(path.join(dir, name))),
  );
}
