// Audits a shell line in a project; arguments: the project, the line (it makes a file, by default). Prints how it ended and what the
// audit says.
import { auditCommand, findProject } from '../../src/index.ts';

const [root, line = 'echo x > new'] = process.argv.slice(2);
const project = await findProject({ cwd: root, userStateFolder: '/user-state' });
const permission = { kind: 'allow', patterns: ['new'] };
const environment = { PATH: process.env.PATH };
const argv = ['sh', '-c', line];
const request = { project, permission, environment, cwd: root, argv, stdout: 'stderr', graceMs: 200 };
const { end, audit } = await auditCommand(request);
process.stdout.write(JSON.stringify({ end, audit }));
