import type { Command } from 'commander'
import { type Reactions, reactTo } from '../ask/reactions.js'
import { keepRunning } from '../ask/stops.js'
import { type WatchedEvent, type WatchProgress, watch } from '../ask/watch.js'
import { sentences } from '../text/sentences.js'
import { type Context, collect, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { severitiesFrom } from './print/severities.js'
import { watchView } from './print/watch.js'

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
    en: 'reasons to stop: collapse, dead, kl-runaway, outage, non-finite, patience=N, drop=N%, steps=N, hours=N (the first five)',
    zh: '停止规则：collapse、dead、kl-runaway、outage、non-finite、patience=N、drop=N%、steps=N、hours=N（默认前五项）',
  },
  'watch.option.fail-on': {
    en: 'end with code 1 at the first finding so severe, crash or reason to stop: note, warning, error, never',
    zh: '首次出现该级别的问题、崩溃或停止理由时以代码 1 退出：note、warning、error、never',
  },
  'watch.option.notify': {
    en: 'alert KIND=VARIABLE: webhook, slack, lark, dingtalk or wecom, and the environment variable that holds the address; repeatable',
    zh: '通知 KIND=VARIABLE：webhook、slack、lark、dingtalk 或 wecom，以及保存地址的环境变量；可重复',
  },
  'watch.option.exec': {
    en: 'a program to start with each event worth telling, which it reads as JSON; no shell',
    zh: '有值得通知的事件时启动的程序，事件以 JSON 传入标准输入；不经过 shell',
  },
  'watch.option.act': { en: 'stop the training when a rule says so', zh: '规则要求停止时，停止该训练' },
  'watch.option.pid': {
    en: 'the process that trains: shown, and stopped by --act',
    zh: '训练进程号：用于显示，并供 --act 停止',
  },
  'watch.option.veto': { en: 'seconds to say no before --act stops it', zh: '--act 停止之前留给人否决的秒数' },
  'watch.option.keep': { en: 'say no to the stop that is announced', zh: '否决已宣布的停止' },
  'watch.kept': { en: 'kept: {runs}', zh: '已保留：{runs}' },
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
