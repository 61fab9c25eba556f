// Parses the AsyncAPI documents in the folder that is its argument, and prints a
// JSON list of what the parser says of each: file, severity (0 is an error, 1 a
// warning), rule, message and place. It runs in the folder whose node_modules
// hold the parser.
import { createRequire } from 'node:module';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { Parser } = createRequire(join(process.cwd(), 'package.json'))('@asyncapi/parser');
const parser = new Parser();
const folder = process.argv[2];
const found = [];
for (const file of readdirSync(folder)) {
  const { document, diagnostics } = await parser.parse(readFileSync(join(folder, file), 'utf8'));
  for (const d of diagnostics) {
    found.push({ file, severity: d.severity, rule: String(d.code), message: d.message, path: d.path.join('/') });
  }
  found.push({
    file,
    severity: -1,
    rule: 'parsed',
    message: document ? document.version() : 'nothing',
    channels: document?.allChannels().length ?? 0,
    operations: document?.allOperations().length ?? 0,
    messages: document?.allMessages().length ?? 0,
  });
}
console.log(JSON.stringify(found));
