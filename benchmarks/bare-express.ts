/** The minimum that Express can do: a GET with a fixed body of the size of a conversion. The baseline of benchmarks over REST. */
import express from 'express';

const BODY = JSON.stringify({ confirmation_id: 'x'.repeat(520) });
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get('/bare', (_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(BODY);
});
app.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('ready\n'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
