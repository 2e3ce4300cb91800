import { findProject, type Project } from '@bailiwick/run-workflow';
import type { CommonFlags } from './common-flags.ts';
import { userStateFolder } from './own-folders.ts';

/** The project that the flags mean. */
export async function projectOf(flags: CommonFlags): Promise<Project> {
  return findProject({
    cwd: process.cwd(),
    userStateFolder: userStateFolder(),
    ...(flags.project === undefined ? {} : { projectPath: flags.project }),
  });
}
