import type { ShowAnswer } from '../../ask/show.js'
import type { Json } from '../../model/json.js'
import { settingLabel } from '../../text/vocabulary.js'
import type { Context } from '../context.js'
import { alignTable, printable } from './style.js'

/** A run's settings: what takes effect, and what was configured where that differs. */
export function printSettings(context: Context, { settings, run: { config } }: ShowAnswer, all: boolean): void {
  const keys = Object.keys(config)
  if (keys.length === 0) return
  if (settings.length > 0) {
    context.print('')
    context.print(context.paint('bold', context.say('show.settings', {})))
    const rows = settings.map(({ key, rawKey, effective }) => [
      settingLabel(key, context.language),
      valueText(effective),
      rawKey === null ? '' : context.paint('dim', printable(rawKey, 60)),
    ])
    alignTable(rows).forEach((line, i) => {
      context.print(`  ${line}`)
      const reason = reasonText(context, settings[i])
      if (reason !== null) context.print(context.paint('yellow', `      ${printable(reason, 200)}`))
    })
  }
  if (all) {
    context.print('')
    context.print(context.paint('bold', context.say('show.config', {})))
    const rows = keys.sort().map(key => [printable(key), valueText(config[key])])
    for (const line of alignTable(rows)) context.print(`  ${line}`)
    return
  }
  const shown = new Set(settings.map(({ rawKey }) => rawKey))
  const more = keys.filter(key => !shown.has(key)).length
  if (more > 0) context.print(context.paint('dim', `  ${context.say('show.more-settings', { count: more })}`))
}

function reasonText(
  context: Context,
  { configured, effective, reason }: ShowAnswer['settings'][number],
): string | null {
  if (reason === null) return null
  if (configured === null || JSON.stringify(configured) === JSON.stringify(effective)) return reason
  return context.say('show.replaced-by-effect', { configured: valueText(configured), reason })
}

function valueText(value: Json): string {
  if (value === null) return '–'
  return printable(typeof value === 'string' ? value : JSON.stringify(value), 60)
}
