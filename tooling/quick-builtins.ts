import type { Rolldown } from 'tsdown';

/** Chunks that the oldest Node must be able to load, so that it can be told what is wrong with it. */
const FOR_ANY_NODE = new Set(['main', 'own-version']);

/**
 * Takes Node's own modules as what they are instead of importing them: for an import Node makes an ES module of each, and to name its
 * exports it asks each of them, which loads whatever Node itself loads lazily. That was a tenth of a short command's time.
 */
export function quickBuiltins(): Rolldown.Plugin {
  return {
    name: 'quick-builtins',
    renderChunk(code, chunk) {
      if (FOR_ANY_NODE.has(chunk.name)) return null;
      const imports = this.parse(code).body.filter(isBuiltinImport);
      return imports.reduceRight((text, node) => text.slice(0, node.start) + taken(node) + text.slice(node.end), code);
    },
  };
}

type Statement = ReturnType<Rolldown.PluginContext['parse']>['body'][number];
type ImportStatement = Extract<Statement, { type: 'ImportDeclaration' }>;

function isBuiltinImport(node: Statement): node is ImportStatement {
  return node.type === 'ImportDeclaration' && node.source.value.startsWith('node:') && node.specifiers.length > 0;
}

/** Everything that an import statement declares, taken from the module: `import { a as b }` is `const { a: b } =`. */
function taken({ source, specifiers }: ImportStatement): string {
  const module = `process.getBuiltinModule(${JSON.stringify(source.value)})`;
  const named = specifiers.flatMap((one) =>
    one.type === 'ImportSpecifier' ? [`${nameOf(one)}: ${one.local.name}`] : [],
  );
  const whole = specifiers.flatMap((one) =>
    one.type === 'ImportSpecifier' ? [] : [`const ${one.local.name} = ${module};`],
  );
  return [...whole, ...(named.length === 0 ? [] : [`const { ${named.join(', ')} } = ${module};`])].join(' ');
}

function nameOf({ imported }: Extract<ImportStatement['specifiers'][number], { type: 'ImportSpecifier' }>): string {
  return imported.type === 'Identifier' ? imported.name : JSON.stringify(imported.value);
}
