import type { FileRecord } from '../../src/core/store/manifest.js'

/** What the store knows of a log that was read to its end; for tests that write runs without a log. */
export function logFile(path: string): FileRecord {
  return {
    path,
    source: 'jsonl',
    role: 'log',
    size: 0,
    modifiedMs: 0,
    headBytes: 0,
    headHash: '',
    tailHash: null,
    complete: true,
    cursor: null,
    unreadBytes: 0,
    warnings: [],
  }
}
