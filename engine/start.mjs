// `npm start`: installs and builds a fresh clone, then runs the launcher.
import './setup.mjs';

await import('../dist/engine/wiring/start.js');
