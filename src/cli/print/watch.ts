import { eventSentence } from '../../ask/reactions.js'
import type { WatchedRun, WatchProgress } from '../../ask/watch.js'
import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import type { Context } from '../context.js'
import { alignTable, printable, shortNumber, shortStep, terminalWidth } from './style.js'

/**
 * The live view. On a terminal a few lines per run are painted over as they change, and what happens once (a finding, a
 * stall, an end) stays above them; in a pipe there are only the latter and the evaluations; as JSON every event is a line.
 */
export interface WatchView {
  show(progress: WatchProgress): void
  remark(line: string): void
  done(): void
}

const say = sentences({
  'watch.step': { en: 'step {step}', zh: 'step {step}' },
  'watch.step-of': { en: 'step {step} of {planned}', zh: 'step {step}/{planned}' },
  'watch.pace': { en: '{seconds} s a step', zh: '每步 {seconds} 秒' },
  'watch.left': { en: '{time} left', zh: '还需 {time}' },
  'watch.score': { en: 'score {value}', zh: '得分 {value}' },
  'watch.disk': { en: '{free} free', zh: '磁盘剩余 {free}' },
  'watch.process': { en: 'process {pid}: {cores} cores, {memory}', zh: '进程 {pid}：{cores} 核，{memory}' },
  'watch.process-alive': { en: 'process {pid}', zh: '进程 {pid}' },
  'watch.process-gone': { en: 'process {pid} is gone', zh: '进程 {pid} 已不存在' },
  'watch.stalled': { en: 'stalled', zh: '停滞' },
})

const LABELS: { readonly [canonical: string]: string } = {
  'reward.mean': 'reward',
  'kl.ref': 'KL',
  entropy: 'entropy',
  'len.response': 'length',
  'grad.norm': 'grad',
}

export function watchView(context: Context, json: boolean): WatchView {
  const isTerminal = process.stdout.isTTY === true && !json
  let painted = 0
  let runs: readonly WatchedRun[] = []
  const clear = (): void => {
    if (painted > 0) process.stdout.write(`\u001b[${painted}A\u001b[0J`)
    painted = 0
  }
  const paint = (): void => {
    if (!isTerminal) return
    clear()
    const width = Math.max(40, (terminalWidth() ?? 80) - 1)
    const lines = runs.flatMap(run => linesOf(context, run)).map(line => printable(line, width, width))
    painted = lines.length
    for (const line of lines) process.stdout.write(`${line}\n`)
  }
  const stay = (line: string): void => {
    clear()
    context.print(line)
    paint()
  }
  return {
    show(progress) {
      if (progress.kind === 'view') {
        runs = progress.runs
        return paint()
      }
      const { event } = progress
      if (json) return context.printJson(event)
      const isShownBelow = event.event === 'step' || (event.event === 'evaluation' && isTerminal)
      if (isShownBelow) return
      const isGrave = event.event === 'stop' || event.event === 'crash' || event.event === 'finding'
      const line = `${event.time.slice(11, 19)}  ${printable(context.render(eventSentence(event)), 400)}`
      stay(
        isGrave
          ? context.paint(event.event === 'finding' && event.severity !== 'error' ? 'yellow' : 'red', line)
          : line,
      )
      if (event.event === 'finding') stay(context.paint('dim', `          ${printable(event.remedy, 400)}`))
      if (event.event === 'stop') stay(context.paint('dim', `          ${printable(event.falseStops, 400)}`))
    },
    remark(line) {
      clear()
      context.remark(printable(line, 400))
      paint()
    },
    done: () => {
      painted = 0
    },
  }
}

function linesOf(context: Context, { glance, memory, machine }: WatchedRun): readonly string[] {
  const { name, status, step, planned, score, interval, pace, curves } = glance
  const last = score?.values.at(-1)
  const left = step === null || planned === null || pace === null ? null : (planned - step) * pace.secondsPerStep
  const head = [
    printable(name, 40),
    memory.isStalled ? context.render(say('watch.stalled', {})) : context.say(`status.${status}`, {}),
    step === null ? '' : stepText(context, step, planned),
    last === undefined ? '' : context.render(say('watch.score', { value: figure(last, 4) })),
    interval === null ? '' : `(${figure(interval[0])} … ${figure(interval[1])})`,
    pace === null ? '' : context.render(say('watch.pace', { seconds: figure(pace.secondsPerStep) })),
    left === null || left <= 0 ? '' : context.render(say('watch.left', { time: duration(left) })),
    ...machineText(context, machine),
  ]
  const course = score === null ? [] : [{ label: '', recent: score.values.slice(-SPARKS) }]
  const shown = [
    ...course,
    ...curves.map(({ canonical, recent }) => ({ label: LABELS[canonical] ?? canonical, recent })),
  ]
  const cells = shown.map(({ label, recent }) => {
    return `${label} ${sparks(recent.slice(-SPARKS))} ${shortNumber(recent[recent.length - 1])}`.trim()
  })
  return [...alignTable([head.filter(part => part !== '')]), `  ${cells.join('   ')}`]
}

function machineText(context: Context, { freeBytes, process: training }: WatchedRun['machine']): readonly string[] {
  const size = (bytes: number): string => `${figure(bytes / 1e9, 2)} GB`
  const parts = [
    ...(freeBytes === null ? [] : [say('watch.disk', { free: size(freeBytes) })]),
    ...(training === null ? [] : [processText(training)]),
  ]
  return parts.map(context.render)

  function processText({ pid, isAlive, cores, residentBytes }: NonNullable<typeof training>) {
    if (!isAlive) return say('watch.process-gone', { pid: String(pid) })
    if (cores === null || residentBytes === null) return say('watch.process-alive', { pid: String(pid) })
    return say('watch.process', { pid: String(pid), cores: figure(cores, 2), memory: size(residentBytes) })
  }
}

function stepText(context: Context, step: number, planned: number | null): string {
  return context.render(
    planned === null
      ? say('watch.step', { step: shortStep(step) })
      : say('watch.step-of', { step: shortStep(step), planned: shortStep(planned) }),
  )
}

const SPARKS = 16
const BARS = '▁▂▃▄▅▆▇█'

function sparks(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return values
    .map(value => BARS[high === low ? 3 : Math.round(((value - low) / (high - low)) * (BARS.length - 1))])
    .join('')
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}
