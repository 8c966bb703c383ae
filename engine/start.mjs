// `npm start`: first whatever a fresh clone lacks, then the launcher.
import './setup.mjs';

await import('../dist/engine/wiring/start.js');
