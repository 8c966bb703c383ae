/** `ratewire certify`: the script of the certification, played with one desk on an engine of its own. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { REFUSED } from '../../cli/run.js';
import { onSignal } from '../../cli/signals.js';
import { shownText } from '../../cli/unshown.js';

const HOW = `
Starts an engine on a port, a store and demo rates of its own, plays the twelve steps of fix-config/certification.md with the desk that logs
on, and writes the report, which both sides can sign: a text, and the same as JSON. At the end everything but the report is removed, also after
Ctrl-C. It never runs on a store with clients: REDIS_URL must not be set, and DATA_DIR is not used.
The desk gets the address, the CompIDs, and a key with its secret, which is shown once; or --credentials names a file with your own.
Without TLS it listens on this machine only. Exit code 0: every step has passed.

Examples:
  ratewire certify ACME1
  ratewire certify ACME1 --port 5210 --wait 120 --out reports --desk "Acme Treasury"
  ratewire certify ACME1 --host 10.0.0.5 --tls /etc/ratewire/fix.pem --tls-key /etc/ratewire/fix.key --credentials desk.json`;

const SECONDS_MAX = 86_400;

export function addCertifyCommand(program: Command): void {
  program
    .command('certify <compid>')
    .description('play the certification script with a desk, and write the report')
    .option('--host <address>', 'the address of this machine that the desk connects to', '127.0.0.1')
    .option('--port <port>', 'the port; 0: any free one', whole(0, 65_535), 5210)
    .option('--tls <file>', 'with TLS: the certificate as a PEM file, or generated for a trial')
    .option('--tls-key <file>', 'the key of that certificate')
    .option('--credentials <file>', 'JSON with client_key and client_secret (default: both are made for the run)')
    .option('--wait <seconds>', 'how long each message of the desk may take', whole(1, SECONDS_MAX), 60)
    .option('--first <seconds>', 'how long the first Logon(A) may take', whole(1, SECONDS_MAX), 600)
    .option('--out <folder>', 'the folder of the report, made where it is not there', '.')
    .addOption(new Option('--desk <name>', 'the firm of the desk, for the report').argParser(firmName))
    .addHelpText('after', HOW)
    .action(async (compId: string, options: Options) => {
      const { json = false, as } = program.opts<{ json?: boolean; as?: string }>();
      const { certify } = await import('./certify.js');
      const { operatorName } = await import('../../cli/operator.js');
      // With --json stdout is the report alone.
      const shown = json ? process.stderr : process.stdout;
      const { wait: waitSeconds, first: firstSeconds, ...rest } = options;
      const certification = certify({
        ...rest,
        compId,
        waitSeconds,
        firstSeconds,
        operator: operatorName(as ?? process.env.RATEWIRE_OPERATOR),
        version: program.version() ?? '',
        env: process.env,
        print: (text) => void shown.write(shownText(text)),
      });
      let signal: number | undefined;
      onSignal((code) => {
        signal = code;
        certification.interrupt();
      });
      const { result, json: report } = await certification.done;
      if (json) process.stdout.write(report);
      process.exitCode = signal ?? (result === 'passed' ? 0 : REFUSED);
    });
}

interface Options {
  readonly host: string;
  readonly port: number;
  readonly tls?: string;
  readonly tlsKey?: string;
  readonly credentials?: string;
  readonly wait: number;
  readonly first: number;
  readonly out: string;
  readonly desk?: string;
}

function whole(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= from && number <= to)) throw new InvalidArgumentError(`a whole number from ${from} to ${to}`);
    return number;
  };
}

function firmName(name: string): string {
  if (!/^[^\p{C}]{1,100}$/u.test(name)) throw new InvalidArgumentError('1 to 100 characters');
  return name;
}
