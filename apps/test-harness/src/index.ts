export { AGENT_PROGRAMS, type AgentProgram } from './agents/agent-program.ts';
export { AGENT_SCENARIOS, type AgentScenario, type ExpectedRecord, modelScenarioOf } from './agents/agent-scenario.ts';
export { type AgentResult, runAgents } from './agents/agents.ts';
export { type AgentsArguments, parseAgentsArguments } from './agents/agents-arguments.ts';
export { agentsTable } from './agents/agents-table.ts';
export { type Installation, installAgent } from './agents/install-agent.ts';
export { loopbackOnly, unroutedIn, writeResolver } from './agents/loopback-only.ts';
export { builtCliPath, type CliResult, runCli, runCliJson, startCli } from './cli/built-cli.ts';
export { type CrashOptions, type CrashResult, runCrash, type Workload } from './crash/crash.ts';
export { straceProblem } from './crash/strace.ts';
export type { FaultResult } from './faults/fault.ts';
export { runFaults } from './faults/run-faults.ts';
export { type FencedProcess, findFencedProcesses, findSupervisors, waitUntil } from './project/process-table.ts';
export {
  git,
  makeTempProject,
  type ProjectOptions,
  type SeatedAgents,
  type TempProject,
} from './project/temp-project.ts';
export { type RacesOptions, type RacesResult, runRaces } from './races/races.ts';
export { runScenario, runStory, type ScenarioResult, scenarios } from './scenarios/run-scenarios.ts';
export { type ExpectedAttempt, SCENARIOS, type Scenario } from './scenarios/scenario-table.ts';
export { STORIES } from './scenarios/stories.ts';
export type { Story } from './scenarios/story.ts';
