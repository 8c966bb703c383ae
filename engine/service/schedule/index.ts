/** What the table of operations and other features use of this one. */
export { forecastStore } from './forecast-store.js';
export { advanceClock, changePorts, readClock, readPorts } from './store-settings.js';
