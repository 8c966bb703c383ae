import { createInterface } from 'node:readline';
import { FeedSettingError } from '../../rates/feeds/port.js';
import { COMMANDS, runCommand } from './faults.js';
import { readOptions, USAGE } from './options.js';
import { startLpSimulator } from './simulator.js';

const args = process.argv.slice(2);
if (args.includes('--help')) console.log(`${USAGE}\nOn standard input: ${COMMANDS}`);
else {
  try {
    const { options, deal, timed } = readOptions(args);
    const simulator = await startLpSimulator(options);
    if (deal !== undefined) console.log(runCommand(simulator, `orders ${deal}`));
    console.log(`ready ws=${address(simulator.wsPort)} fix=${address(simulator.fixPort)}`);

    const timers = timed.map(({ afterS, line }) =>
      setTimeout(() => console.log(runCommand(simulator, line)), afterS * 1000),
    );
    const lines = createInterface({ input: process.stdin });
    lines.on('line', (line) => console.log(runCommand(simulator, line)));
    const stop = () => {
      for (const timer of timers) clearTimeout(timer);
      lines.close();
      void simulator.close();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  } catch (error) {
    console.error(problemOf(error));
    console.error(USAGE);
    process.exitCode = 1;
  }
}

function problemOf(error: unknown): string {
  if (error instanceof FeedSettingError) return error.problem;
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `port ${port} is taken: give another, or 0`;
  return code === 'EACCES' ? `port ${port} is not allowed to this user: give one above 1023, or 0` : error.message;
}

function address(port: number | undefined): string {
  return port === undefined ? '-' : `127.0.0.1:${port}`;
}
