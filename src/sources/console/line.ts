/**
 * What surrounds a line of verl's output on its way into a file: colours, carriage returns of progress bars, and the
 * name of the process that Ray puts in front.
 */

const COLOUR = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|[@-Z\\^_])/g

/** The texts that stood on the screen one after another where this line is; mostly one, the line itself. */
export function screenTexts(line: string): readonly string[] {
  const plain = line.includes('\x1b') ? line.replace(COLOUR, '') : line
  return plain.includes('\r') ? plain.split('\r').filter(text => text !== '') : [plain]
}

const OPENING = 0x28
/** `(TaskRunner pid=247607, ip=10.0.0.1) `, with the task number that `srun --label` puts before it. */
const PROCESS = /^(?:\d{1,6}: ?)?\([^()]{0,200}\bpid=\d+[^()]{0,200}\) ?/

/** Where the text of the process begins, behind Ray's `(name pid=1) `. */
export function bodyStart(text: string): number {
  const first = text.charCodeAt(0)
  const maybePrefixed = first === OPENING || (first >= 0x30 && first <= 0x39)
  return maybePrefixed ? (PROCESS.exec(text)?.[0].length ?? 0) : 0
}

/** A line of tqdm, which says nothing about what its process prints next. */
export function isProgressBar(text: string): boolean {
  return text.includes('%|')
}
