export { listEvents, readEvent, type ShownEvent, shownEvent } from './client-events.js';
export type { Subjects } from './compose-event.js';
export { type KeptEvents, keepEvents } from './keep-events.js';
