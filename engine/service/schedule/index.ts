/** What the table of operations and other features use of this one. */
export { forecastStore } from './forecast-store.js';
export { advanceClock, readClock } from './store-clock.js';
export { changePorts, readPorts } from './store-ports.js';
