import type { Command } from 'commander'
import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { eventSentence, type Reactions, reactTo } from '../ask/reactions.js'
import { keepRunning } from '../ask/stops.js'
import { type WatchedEvent, type WatchedRun, type WatchProgress, watch } from '../ask/watch.js'
import { type Context, collect, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { severitiesFrom } from './print/severities.js'
import { alignTable, displayWidth, printable, shortNumber, shortStep, terminalWidth } from './print/style.js'

export interface WatchOptions {
  readonly json?: boolean
  readonly untilEnd?: boolean
  readonly stop?: string
  readonly failOn: string
  readonly notify?: readonly string[]
  readonly exec?: string
  readonly act?: boolean
  readonly pid?: string
  readonly veto?: string
  readonly keep?: boolean
}

const say = sentences({
  'watch.runs': { en: 'runs, or paths to their logs', zh: 'run，或其日志的路径' },
  'watch.option.until-end': { en: 'end when all runs have ended', zh: '所有 run 结束后退出' },
  'watch.option.stop': {
    en: 'stop rules: collapse, frontier, dead, kl-runaway, outage, non-finite, validation-collapse, overoptimised, reward-hacking, length-collapse (all of these by default), patience=N, drop=N%, steps=N, hours=N',
    zh: '停止规则：collapse、frontier、dead、kl-runaway、outage、non-finite、validation-collapse、overoptimised、reward-hacking、length-collapse（默认以上全部）、patience=N、drop=N%、steps=N、hours=N',
  },
  'watch.option.fail-on': {
    en: 'exit with 1 at the first finding of this severity, crash or stop rule: note, warning, error, never',
    zh: '首次出现该级别的问题、崩溃或停止理由时以代码 1 退出：note、warning、error、never',
  },
  'watch.option.notify': {
    en: 'alert KIND=VARIABLE: webhook, slack, lark, dingtalk or wecom, and the environment variable that holds the address; repeatable',
    zh: '通知 KIND=VARIABLE：webhook、slack、lark、dingtalk 或 wecom，以及保存地址的环境变量；可重复',
  },
  'watch.option.exec': {
    en: 'a program to start on each event, which it reads as JSON; no shell',
    zh: '有值得通知的事件时启动的程序，事件以 JSON 传入标准输入；不经过 shell',
  },
  'watch.option.act': { en: 'stop the training when a rule says so', zh: '规则要求停止时，停止该训练' },
  'watch.option.pid': {
    en: 'the training process: shown, and stopped by --act',
    zh: '训练进程号：用于显示，并供 --act 停止',
  },
  'watch.option.veto': { en: 'seconds for a veto before --act stops it', zh: '--act 停止之前留给人否决的秒数' },
  'watch.option.keep': { en: 'veto the announced stop', zh: '否决已宣布的停止' },
  'watch.kept': { en: 'kept: {runs}', zh: '已保留：{runs}' },
  'watch.step': { en: 'step {step}', zh: 'step {step}' },
  'watch.step-of': { en: 'step {step} of {planned}', zh: 'step {step}/{planned}' },
  'watch.pace': { en: '{seconds} s per step', zh: '每步 {seconds} 秒' },
  'watch.left': { en: '{time} left', zh: '还需 {time}' },
  'watch.score': { en: 'score {value}', zh: '得分 {value}' },
  'watch.disk': { en: '{free} free', zh: '磁盘剩余 {free}' },
  'watch.process': { en: 'process {pid}: {cores} cores, {memory}', zh: '进程 {pid}：{cores} 核，{memory}' },
  'watch.process-alive': { en: 'process {pid}', zh: '进程 {pid}' },
  'watch.process-gone': { en: 'process {pid} is gone', zh: '进程 {pid} 已不存在' },
  'watch.stalled': { en: 'stalled', zh: '停滞' },
})

export function watchVerb(context: Context): Command {
  return verb('watch', context.say('watch.about', {}), context)
    .argument('<run...>', context.render(say('watch.runs', {})))
    .option('--until-end', context.render(say('watch.option.until-end', {})))
    .option('--stop <rules>', context.render(say('watch.option.stop', {})))
    .option('--fail-on <severity>', context.render(say('watch.option.fail-on', {})), 'never')
    .option('--notify <kind=variable>', context.render(say('watch.option.notify', {})), collect)
    .option('--exec <command>', context.render(say('watch.option.exec', {})))
    .option('--act', context.render(say('watch.option.act', {})))
    .option('--pid <pid>', context.render(say('watch.option.pid', {})))
    .option('--veto <seconds>', context.render(say('watch.option.veto', {})), '60')
    .option('--keep', context.render(say('watch.option.keep', {})))
    .action((runs: string[], options: WatchOptions) =>
      options.keep ? keep(context, runs) : watchRuns(context, runs, options),
    )
}

async function keep(context: Context, names: readonly string[]): Promise<void> {
  const { kept } = await context.ask(keepRunning, { runs: names })
  context.print(context.render(say('watch.kept', { runs: kept.map(({ name }) => name).join(', ') })))
}

export async function watchRuns(context: Context, runs: readonly string[], options: WatchOptions): Promise<void> {
  const failOn = severitiesFrom(options.failOn)
  const isFatal = (event: WatchedEvent): boolean =>
    failOn.size > 0 &&
    (event.event === 'stop' || event.event === 'crash' || (event.event === 'finding' && failOn.has(event.severity)))
  await interruptible(async signal => {
    const ending = new AbortController()
    const view = watchView(context, options.json === true)
    const reacting = reactTo(reactionsFrom(options), {
      signal,
      render: context.render,
      remark: message => view.remark(context.render(message)),
    })
    const onProgress = (progress: WatchProgress): void => {
      view.show(progress)
      if (progress.kind !== 'event') return
      reacting.on(progress.event)
      if (!isFatal(progress.event)) return
      process.exitCode = 1
      ending.abort()
    }
    try {
      await context.ask(
        watch,
        { runs, stop: options.stop ?? null, pid: pidFrom(options), untilEnd: options.untilEnd },
        { signal: AbortSignal.any([signal, ending.signal]), onProgress },
      )
    } finally {
      view.done()
      await reacting.settle()
    }
  })
}

function pidFrom({ pid }: Pick<WatchOptions, 'pid'>): number | null {
  return pid === undefined ? null : Number(pid)
}

function reactionsFrom({ notify = [], exec, act, pid, veto = '60' }: WatchOptions): Reactions {
  return {
    notify,
    exec: exec ?? null,
    act: act ? { pid: pidFrom({ pid }), vetoSeconds: Number(veto) } : null,
  }
}

/**
 * The live view. On a terminal a few lines per run are painted over as they change, and what happens once (a finding, a
 * stall, an end) stays above them; in a pipe there are only the latter and the evaluations; as JSON every event is a line.
 */
export interface WatchView {
  show(progress: WatchProgress): void
  remark(line: string): void
  done(): void
}

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
    const lines = runs.flatMap(run => linesOf(context, run, width)).map(line => printable(line, width, width))
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

/** What the run is at, then how fast: on one line where both have room. */
function linesOf(context: Context, { glance, memory, machine }: WatchedRun, width: number): readonly string[] {
  const { name, status, step, planned, score, interval, pace, curves } = glance
  const last = score?.values.at(-1)
  const left = step === null || planned === null || pace === null ? null : (planned - step) * pace.secondsPerStep
  const head = [
    printable(name, 40),
    memory.isStalled ? context.render(say('watch.stalled', {})) : context.say(`status.${status}`, {}),
    step === null ? '' : stepText(context, step, planned),
    last === undefined ? '' : context.render(say('watch.score', { value: figure(last, 4) })),
    interval === null ? '' : `(${figure(interval[0])} … ${figure(interval[1])})`,
  ].filter(part => part !== '')
  const speed = [
    pace === null ? '' : context.render(say('watch.pace', { seconds: figure(pace.secondsPerStep) })),
    left === null || left <= 0 ? '' : context.render(say('watch.left', { time: duration(left) })),
    ...machineText(context, machine),
  ].filter(part => part !== '')
  const whole = alignTable([[...head, ...speed]])
  const course = score === null ? [] : [{ label: '', recent: score.values.slice(-SPARKS) }]
  const shown = [
    ...course,
    ...curves.map(({ canonical, recent }) => ({ label: LABELS[canonical] ?? canonical, recent })),
  ]
  const cells = shown.map(({ label, recent }) => {
    return `${label} ${sparks(recent.slice(-SPARKS))} ${shortNumber(recent[recent.length - 1])}`.trim()
  })
  const isOneLine = whole.every(line => displayWidth(line) <= width)
  return [...(isOneLine ? whole : [...alignTable([head]), `  ${speed.join('  ')}`]), `  ${cells.join('   ')}`]
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
