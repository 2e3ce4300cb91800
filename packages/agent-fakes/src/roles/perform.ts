import type { Agent } from '../agent.ts';
import { analyse } from './analyse.ts';
import { implement } from './implement.ts';
import { report } from './report.ts';
import { translate } from './translate.ts';
import { verify } from './verify.ts';
import { resultJson, type WorkReport } from './work-report.ts';

const ROLES: Readonly<Record<string, (agent: Agent) => Promise<WorkReport>>> = {
  implementer: implement,
  verifier: verify,
  analyst: analyse,
  'report-writer': report,
  translator: translate,
};

/** Does the work of the role that the prompt names; without a known one there is nothing that it could do. */
export async function perform(agent: Agent): Promise<WorkReport> {
  const act = ROLES[agent.prompt.role ?? ''];
  return act === undefined ? withoutRole(agent) : act(agent);
}

function withoutRole({ prompt }: Agent): WorkReport {
  const said = prompt.role === undefined ? 'no role' : `the role ${JSON.stringify(prompt.role)}, which I do not know`;
  const summary = `The prompt names ${said}; one of ${Object.keys(ROLES).join(', ')} was expected.`;
  return { isDone: false, summary, notes: [], resultText: () => resultJson({ failure: { summary } }) };
}
