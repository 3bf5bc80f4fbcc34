import type { Command } from 'commander'
import { showBlocks } from '../../core/present/show.js'
import { harmlessText } from '../../text/harmless.js'
import { type SeriesAnswer, show } from '../ask/show.js'
import { type Context, collect, verb } from './context.js'

interface Options {
  readonly json?: boolean
  readonly metric?: readonly string[]
  readonly all?: boolean
}

export function showVerb(context: Context): Command {
  return verb('show', context.say('show.about', {}), context)
    .argument('<run>', context.say('argument.run', {}))
    .option('-m, --metric <name>', context.say('show.option.metric', {}), collect)
    .option('--all', context.say('show.option.all', {}))
    .action((run: string, options: Options) =>
      options.json ? printJson(context, run, options) : showRun(context, run, options),
    )
}

/** Written piece by piece: a long run's JSON need not fit into memory as one text. */
async function printJson(context: Context, run: string, { metric }: Options): Promise<void> {
  const { write, end } = seriesWriter(text => process.stdout.write(harmlessText(text)))
  const { series, ...rest } = await context.ask(show, { run, metric, points: 'streamed' }, { onProgress: write })
  end()
  process.stdout.write(`],${harmlessText(JSON.stringify(rest)).slice(1)}\n`)
}

/** Pieces of one metric that come one after the other are one series. */
function seriesWriter(write: (text: string) => void) {
  let open: { readonly metric: string; readonly hasPoints: boolean; readonly end: string } | null = null
  // Nothing is written before there is something to say: what stands in the way is an answer of its own.
  const end = (): void => write(open?.end ?? '{"series":[')
  return {
    end,
    write({ points, estimates, ...meaning }: SeriesAnswer): void {
      const isNew = open?.metric !== meaning.metric
      if (isNew) {
        end()
        write(`${open === null ? '' : ','}${JSON.stringify(meaning).slice(0, -1)},"points":[`)
      }
      const isBehind = !isNew && open?.hasPoints === true && points.length > 0
      write(`${isBehind ? ',' : ''}${JSON.stringify(points).slice(1, -1)}`)
      const told = estimates === undefined ? '' : `,"estimates":${JSON.stringify(estimates)}`
      open = { metric: meaning.metric, hasPoints: points.length > 0, end: `]${told}}` }
    },
  }
}

async function showRun(context: Context, run: string, { metric, all = false }: Options): Promise<void> {
  const answer = await context.ask(show, { run, metric, points: 'telling' })
  context.present(showBlocks(answer, context.speaker, { all, isOfMetrics: metric !== undefined }))
}
