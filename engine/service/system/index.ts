export { forecastStore } from './forecast-store.js';
export { acceptClock, advanceClock, changePorts, readClock, readPorts } from './store-settings.js';
