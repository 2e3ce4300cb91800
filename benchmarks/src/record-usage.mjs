import { writeFileSync } from 'node:fs';

/** Writes down at its end how much processor time the process has had, in milliseconds. */
export function record(path) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    writeFileSync(path, String((user + system) / 1000));
  });
}
