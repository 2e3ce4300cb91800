/** Replaces `{{Name}}` by the value of the first header line `**Name:** value` among what the conversation says. */
export function fillPlaceholders(text: string, conversation: readonly string[]): string {
  return text.replaceAll(
    /\{\{([A-Za-z][A-Za-z ]*)\}\}/g,
    (whole, name: string) => headerOf(name, conversation) ?? whole,
  );
}

function headerOf(name: string, conversation: readonly string[]): string | undefined {
  const pattern = new RegExp(`^\\s*(?:\\d+\\s*[|:\\t→]\\s*)?\\*\\*${name}:\\*\\*[ \\t]*(.+)$`, 'm');
  for (const text of conversation) {
    const value = pattern.exec(text)?.[1]?.trim();
    if (value !== undefined) return value;
  }
  return undefined;
}
