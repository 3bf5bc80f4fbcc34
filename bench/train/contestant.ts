import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * A process that trains when it is told to: one request a line, one answer a line. It lives through all rounds and
 * sleeps between its turns, so that contestants can take turns without paying for their start each time.
 */
export interface TrainRequest {
  readonly phase: 'rce' | 'grpo'
  readonly frozen: boolean
  /** How many of the 16 choices of a query are used: those of the highest reward. */
  readonly beams: number
  readonly dropout: readonly [hidden: number, attention: number]
  /** At least so long, and at least so many passes over the queries. */
  readonly seconds: number
  readonly epochs: number
}

/** Of each pass: its time, and the means over its steps. */
export interface TrainAnswer {
  readonly seconds: readonly number[]
  readonly cpuSeconds: readonly number[]
  readonly losses: readonly number[]
  readonly norms: readonly number[]
}

export interface Contestant<Request = TrainRequest, Answer = TrainAnswer> {
  readonly name: string
  readonly version: string
  train(request: Request): Promise<Answer>
  stop(): void
}

export async function startContestant<Request = TrainRequest, Answer = TrainAnswer>(
  name: string,
  command: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Contestant<Request, Answer>> {
  const child: ChildProcess = spawn(command, words, {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error(`${name} could not be started`)
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  const answer = async () => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`${name} ended before its time`)
    return JSON.parse(value)
  }
  const { version } = await answer()
  return {
    name,
    version,
    async train(request) {
      stdin.write(`${JSON.stringify(request)}\n`)
      return answer()
    },
    stop: () => stdin.end(),
  }
}
