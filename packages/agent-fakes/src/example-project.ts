import { fileURLToPath } from 'node:url';

/**
 * The absolute path of the example repository that ships with this package: a JavaScript project without
 * dependencies, in which one test fails because of one bug. It is not a git repository; copy it, don't work in it.
 */
export function exampleProject(): string {
  return fileURLToPath(new URL('../example', import.meta.url));
}
