export { forecastStore } from './forecast-store.js';
export { advanceClock, changePorts, readClock, readPorts } from './store-settings.js';
