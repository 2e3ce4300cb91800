/**
 * Replaces `{{Name}}` by the value of the first header line `**Name:** value` among what the conversation says, and `{{Prompt File}}` by
 * the file that a prompt of one line names, for programs that take no longer one.
 */
export function fillPlaceholders(text: string, conversation: readonly string[]): string {
  return text.replaceAll(
    /\{\{([A-Za-z][A-Za-z ]*)\}\}/g,
    (whole, name: string) =>
      (name === 'Prompt File' ? promptFileIn(conversation) : headerOf(name, conversation)) ?? whole,
  );
}

function headerOf(name: string, conversation: readonly string[]): string | undefined {
  const pattern = new RegExp(`^\\s*(?:\\d+\\s*[|:\\t→]\\s*)?\\*\\*${name}:\\*\\*[ \\t]*(.+)$`, 'm');
  // A tool's result may be JSON within a string: its line breaks are two characters there.
  for (const text of conversation.flatMap((said) => [said, said.replaceAll('\\n', '\n')])) {
    const value = pattern.exec(text)?.[1]?.trim();
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The line that stands in for a prompt. */
const FILE_LINE = /task is in the file (\/.+?) - read it/;

function promptFileIn(conversation: readonly string[]): string | undefined {
  return conversation.map((text) => FILE_LINE.exec(text)?.[1]).find((path) => path !== undefined);
}
