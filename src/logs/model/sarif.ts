import type { JsonObject } from './json.js'

/** SARIF 2.1.0 around the findings of any verb, so that code-review tools show them beside the lines. */
export function sarifLog(version: string, rules: readonly JsonObject[], results: readonly JsonObject[]): JsonObject {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'klens', version, rules: [...rules] } },
        columnKind: 'unicodeCodePoints',
        results: [...results],
      },
    ],
  }
}

export function sarifPlace(
  file: string,
  region: { readonly startLine: number; readonly startColumn?: number },
): JsonObject {
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } }
}

/** Relative as it was given, or a file's address: a name may hold what means something else in an address. */
function uriOf(file: string): string {
  const path = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
  return path.startsWith('/') ? `file://${path}` : path
}
