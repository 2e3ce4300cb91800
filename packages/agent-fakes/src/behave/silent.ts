/** Exit 0 without an event, as some CLIs do when they refuse a prompt. */
export async function silent(): Promise<number> {
  return 0;
}
