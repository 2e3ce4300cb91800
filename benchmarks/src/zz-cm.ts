import { builtCliPath, findFencedProcesses, makeTempProject, runCli, runCliJson } from '@bailiwick/test-harness';
import { execa } from 'execa';

const count = Number(process.argv[2]);
const seat = { model: 'codex/gpt-5.5' };
const team = { implementer: seat, verifiers: Array.from({ length: count }, () => seat) };
const agents = { codex: { command: ['/bin/sh', '-c', 'exec sleep 3600'] } };
const project = await makeTempProject({ content: 'tiny', config: { team, agents, maxConcurrent: count } });
const { document } = await runCliJson<{ runId: string }>(project, ['run', 'create', '../TASK.md']);
const workers = Array.from({ length: count }, (_, at) => `verifier-${at + 1}`).join(',');
const c = execa(
  process.execPath,
  [...process.argv.slice(3), '--require=/tmp/mem.cjs', builtCliPath(), 'team', 'dispatch', '--workers', workers],
  { cwd: project.root, env: project.environment, extendEnv: false, reject: false, stdin: 'ignore' },
);
while ((await findFencedProcesses(document.runId)).length < count) await new Promise((r) => setTimeout(r, 500));
console.log('PID', c.pid);
const { readFileSync } = await import('node:fs');
console.log(/VmHWM.*/.exec(readFileSync(`/proc/${c.pid}/status`, 'utf8'))?.[0]);
const smaps = readFileSync(`/proc/${c.pid}/smaps`, 'utf8')
  .split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
  .map((s) => [Number(/^Rss:\s+(\d+)/m.exec(s)?.[1]), s.split('\n')[0]] as const)
  .sort((a, b) => b[0] - a[0]);
console.log(
  smaps
    .slice(0, 14)
    .map(([k, l]) => `${k} ${l}`)
    .join('\n'),
);
await runCli(project, ['team', 'stop']);
await c;
await project.remove();
