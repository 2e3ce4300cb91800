export { Behaviour } from './behaviours.ts';
export { Dialect } from './dialects.ts';
export { exampleProject } from './example-project.ts';
export { fakeAgentCommand } from './fake-agent-command.ts';
export type { FakeAgentRequest } from './fake-agent-request.ts';
