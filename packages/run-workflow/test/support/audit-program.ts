// Audits a shell line in a project; arguments: the project, the line (it makes a file, by default). Prints how it ended and what the
// audit says.
import { auditCommand, findProject } from '../../src/index.ts';

const [root = '', line = 'echo x > new'] = process.argv.slice(2);
const { end, audit } = await auditCommand({
  project: await findProject({ cwd: root, userStateFolder: '/user-state' }),
  permission: { kind: 'allow', patterns: ['new'] },
  environment: { PATH: process.env['PATH'] ?? '' },
  cwd: root,
  argv: ['sh', '-c', line],
  stdout: 'stderr',
  graceMs: 200,
});
process.stdout.write(JSON.stringify({ end, audit }));
