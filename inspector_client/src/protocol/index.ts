// The names and shapes that pages, the Vite plugin and the companion share; docs/protocol.md says what they mean.
// By name, so that only what is used is bundled.
export {
  hotSymbol,
  limits,
  pageSymbol,
  type pageTools,
  protocol,
  routes,
  sourceAttribute,
  timing,
  toolsSymbol,
} from '../../../companion/pageside/contract/channel.json';
export { default as windowEvents } from '../../../companion/pageside/contract/events.json';
export { acting as actingGroups } from '../../../companion/pageside/contract/gate.json';
export {
  intents,
  severities,
  sketch as sketchLimits,
} from '../../../companion/pageside/contract/note.json';
export { transitions } from '../../../companion/pageside/contract/status.json';
export {
  limits as storageLimits,
  local as localKeys,
  session as sessionKeys,
  workbench as workbenchKeys,
} from '../../../companion/pageside/contract/storage.json';
export type * from './change';
export type * from './channel';
export type * from './element';
export type * from './inspection';
export type * from './place';
