export { Behaviour } from './behaviours.ts';
export { AccessMode } from './cmux/access.ts';
export type { Conduct, RecordedRequest } from './cmux/conduct.ts';
export type { FaultSettings } from './cmux/faults.ts';
export type { FakeCmuxOptions } from './cmux/options.ts';
export type { Params } from './cmux/params.ts';
export type { Person } from './cmux/person.ts';
export { usualSocketPath } from './cmux/places.ts';
export { runFakeCmux } from './cmux/run-fake-cmux.ts';
export { type FakeCmux, startFakeCmux } from './cmux/start-fake-cmux.ts';
export { NEWEST_CMUX } from './cmux/version.ts';
export { Dialect } from './dialects.ts';
export { exampleProject } from './example-project.ts';
export { fakeAgentCommand, setFakeAgentProgram } from './fake-agent-command.ts';
export type { FakeAgentRequest } from './fake-agent-request.ts';
export { fakeModelCommand } from './fake-model-command.ts';
export type { FakeModelRequest } from './model-server/model-arguments.ts';
export { type ModelServer, type ModelServerOptions, startModelServer } from './model-server/model-server.ts';
export { parseScenario } from './model-server/read-scenario.ts';
export { runFakeModel } from './model-server/run-fake-model.ts';
export type {
  BreakingPoint,
  ModelScenario,
  ScriptedAnswer,
  ScriptedCall,
  ScriptedReply,
  ScriptedTurn,
} from './model-server/scenario.ts';
