import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Benchmark, Figures, Table } from '../benchmark.js'
import { conditionsOf, type Judged, judge } from './judge.js'
import type { BenchLog } from './log.js'
import { trlLogs } from './made-up-trl.js'
import { verlLogs } from './made-up-verl.js'
import { realLogs } from './real-logs.js'
import { installPeers, TOOLS, type Tool, type ToolFinding } from './tools.js'

/** klens beside three tools of the Python Package Index, on logs of which it is known what is wrong with them. */
export const diagnosis: Benchmark = {
  name: 'diagnosis',
  about: 'klens and three peers diagnose the same logs; needs python3 and its package index',
  async run({ rounds }) {
    await installPeers()
    const scratch = join(tmpdir(), `klens-bench-diagnosis-${process.pid}`)
    mkdirSync(scratch, { recursive: true })
    try {
      const logs = [...realLogs(scratch), ...verlLogs(), ...trlLogs()]
      const answers: Answers[] = []
      for (const log of logs) answers.push(await answersTo(log, scratch))
      const times = await waiting(logs[0], scratch, rounds)
      return [
        findingsTable(answers),
        countsTable(answers),
        aheadTable(answers),
        { title: `diagnosis, one log (${logs[0].name})`, rows: times },
      ]
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  },
}

interface Answers {
  readonly log: BenchLog
  readonly judged: ReadonlyMap<string, Judged>
}

async function answersTo(log: BenchLog, scratch: string): Promise<Answers> {
  const judged = new Map<string, Judged>()
  for (const tool of TOOLS) {
    const findings = await tool.diagnose(tool.prepare(log, folderOf(tool, log, scratch)), log)
    judged.set(tool.name, judge(tool.name, findings, log.truth))
  }
  return { log, judged }
}

function folderOf({ name }: Tool, log: BenchLog, scratch: string): string {
  return join(scratch, name, log.name)
}

function findingsTable(answers: readonly Answers[]): Table {
  return {
    title: 'diagnosis, findings: right as they are, WRONG: in capitals, (notes) in brackets, −missed',
    rows: answers.map(({ log, judged }) => ({
      what: log.name,
      truth: log.truth.healthy ? 'healthy' : conditionsOf(log.truth.present).join(', '),
      ...Object.fromEntries([...judged].map(([tool, each]) => [tool, cellOf(each)])),
    })),
  }
}

function cellOf({ right, falseAlarms, falseNotes, missed }: Judged): string {
  return [
    ...right.map(({ id, severity }) => (severity === 'note' ? `(${id})` : id)),
    ...falseAlarms.map(({ id }) => `WRONG: ${id}`),
    ...falseNotes.map(({ id }) => `(WRONG: ${id})`),
    ...missed.map(condition => `−${condition}`),
  ].join(', ')
}

function countsTable(answers: readonly Answers[]): Table {
  const healthy = answers.filter(({ log }) => log.truth.healthy)
  const sick = answers.filter(({ log }) => !log.truth.healthy)
  return {
    title: `diagnosis, counts over ${sick.length} sick and ${healthy.length} healthy logs`,
    rows: TOOLS.map(({ name }): Figures => {
      const total = (of: readonly Answers[], count: (judged: Judged) => number): number =>
        of.reduce((sum, { judged }) => sum + count(ofTool(judged, name)), 0)
      return {
        what: name,
        found: total(sick, ({ found }) => found.length),
        missed: total(sick, ({ missed }) => missed.length),
        'sick logs without any right finding': total(sick, ({ found }) => (found.length === 0 ? 1 : 0)),
        'warnings right': total(answers, ({ right }) => ofSeverity(right, 'warning')),
        'false alarms': total(answers, ({ falseAlarms }) => falseAlarms.length),
        'healthy logs alarmed': total(healthy, ({ falseAlarms }) => (falseAlarms.length > 0 ? 1 : 0)),
        'notes right': total(answers, ({ right }) => ofSeverity(right, 'note')),
        'false notes': total(answers, ({ falseNotes }) => falseNotes.length),
      }
    }),
  }
}

function ofSeverity(findings: readonly ToolFinding[], wanted: ToolFinding['severity']): number {
  return findings.filter(({ severity }) => severity === wanted).length
}

/** Where a peer is ahead: what it says rightly, as a warning or a note, and klens does not. */
function aheadTable(answers: readonly Answers[]): Table {
  const rows = answers.flatMap(({ log, judged }): Figures[] => {
    const ours = ofTool(judged, 'klens').true
    const ahead = TOOLS.map(
      ({ name }) => [name, [...ofTool(judged, name).true].filter(each => !ours.has(each))] as const,
    )
    if (ahead.every(([, conditions]) => conditions.length === 0)) return []
    return [{ what: log.name, ...Object.fromEntries(ahead.map(([name, conditions]) => [name, conditions.join(', ')])) }]
  })
  return { title: 'diagnosis, said rightly by a peer and not by klens', rows }
}

function ofTool(judged: ReadonlyMap<string, Judged>, name: string): Judged {
  return judged.get(name) ?? { right: [], falseAlarms: [], falseNotes: [], found: [], missed: [], true: new Set() }
}

/** From the start of the process to its answer. The median, because a cold start has no best case. */
async function waiting(log: BenchLog, scratch: string, rounds: number): Promise<Figures[]> {
  const rows: Figures[] = []
  for (const tool of TOOLS) {
    const path = tool.prepare(log, folderOf(tool, log, scratch))
    const seconds: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now()
      await tool.diagnose(path, log)
      seconds.push((performance.now() - start) / 1000)
    }
    rows.push({ what: tool.name, seconds: seconds.sort((a, b) => a - b)[seconds.length >> 1] })
  }
  return rows
}
