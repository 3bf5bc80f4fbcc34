import type { Template } from '../../../text/language.js'
import type { NoteKey } from '../vocabulary/notes.js'

/**
 * All that klens knows of a framework, as data: how its logs are told from others, what it calls the quantities of the
 * metric table and the settings of the settings table, in what its numbers differ, and where they mislead. A framework is
 * added by a file like those beside this one and its line in registry.ts.
 */
export interface FrameworkData<Id extends string = string> {
  readonly id: Id
  /** A proper name, the same in every language. */
  readonly name: string
  /** The release or commit whose source the names were read in, or whose package wrote the logs they were seen in. */
  readonly asOf?: string
  /** Where its logs lie and who reads them; the best to read first. */
  readonly layout?: readonly LayoutEntry[]
  /** What to switch on so that more can be checked: the setting, and the metrics that are logged then. */
  readonly switches?: readonly { readonly setting: string; readonly metrics: readonly string[] }[]
  /** Whose names it speaks besides its own. */
  readonly base?: string
  /** A fork whose runs are read as those of another framework, with these names and settings besides. */
  readonly runsAs?: string
  /** Frameworks whose names it shares and does not mean alike: where its own tells are present, theirs prove nothing. */
  readonly resembles?: readonly string[]
  readonly tells: Tells
  /** Others copy its names, so that they are read, last of all, in logs of which nothing tells the framework. */
  readonly isCopied?: boolean
  /** By canonical metric: what it is called here, preferred name first, older names behind newer ones, without a tracker's prefix (`train/`). */
  readonly metrics: NamesByMeaning
  /** Names that first of all mean another metric, but say this as well: TRL's `reward` is also the raw score. */
  readonly also?: NamesByMeaning
  /** Names whose number is not quite the quantity of its row. */
  readonly quirks?: readonly Quirk[]
  /** Names that hold a data set, an environment or a number, the most telling first. Read only in a log of this framework. */
  readonly patterns?: readonly NamePattern[]
  /** Its validation scores are what it trains on, taken on held-out prompts, whatever they are called. */
  readonly validatesReward?: boolean
  /** Its validation loss is the likelihood of rewarded choices on held-out queries: it judges a policy where no score was logged. */
  readonly lossJudges?: boolean
  /** What tables of this framework call the step, best first, where it is none of the usual words. */
  readonly steps?: readonly string[]
  /** Metrics whose steps count in something else, and in what: seconds, say. */
  readonly axes?: { readonly [name: string]: string }
  /** Names and patterns that klens knows of and gives no meaning on purpose, with the reason; no general rule reads them. */
  readonly unknown?: { readonly [name: string]: string }
  /** By canonical setting: the full path from the root of the config, preferred first. */
  readonly settings?: NamesByMeaning
  readonly traps?: readonly Trap[]
}

/** `rollouts/step_{step}/train/traces.jsonl`, read by the source of that id (`jsonl`, `tensorboard`, `wandb`). */
interface LayoutEntry {
  readonly path: string
  readonly source: string
}

export type NamesByMeaning = { readonly [canonical: string]: readonly string[] }

/**
 * `eval/{dataset}/pass@{k}`. A data set or an environment may hold slashes, a `{set}` none; `{subset}` is a part of the data, `{part}` a
 * reward function, `{k}` a number, `{any}` a word that says nothing klens keeps, `{rest}` any number of words.
 */
export interface NamePattern {
  readonly name: string
  /** Null: known to be none of the metrics of the table, and kept from the general rules. */
  readonly canonical: string | null
  /** How repeats were folded, `pass@{k}`. */
  readonly aggregate?: string
  /** Absent: the unit of the row. */
  readonly unit?: string | null
  readonly note?: NoteKey
}

/** Names that no other framework uses; those that several share (`kl`, `reward`, `loss`) prove nothing and are not listed. */
interface Tells {
  readonly metrics: readonly string[]
  readonly metricPrefixes?: readonly string[]
  /** Last words of the path of a setting. */
  readonly keys: readonly string[]
  readonly keyPrefixes?: readonly string[]
  /** How many must be there; one, unless said otherwise. */
  readonly atLeast?: number
  /** Counts only where no other framework is recognised: everybody builds on it. */
  readonly isLast?: boolean
}

/**
 * Names whose number is not quite the quantity of their row: another unit, another average, another reference.
 * A reader should see the note wherever the number stands beside one from elsewhere.
 */
export interface Quirk {
  readonly names: readonly string[]
  /** Absent: the unit of the row. */
  readonly unit?: string | null
  readonly note?: NoteKey
}

/**
 * Why a logged number may not be what its name says, or may not be comparable with the same name in another run.
 * None of these changes training; all of them have changed conclusions. A trap may hold for some versions only;
 * where the version is not known, the text under `unknown` says what depends on it.
 */
export interface Trap {
  readonly id: string
  readonly names: readonly string[]
  /** What is said of the number; `{version}` is the release that the log tells. */
  readonly says: Template
  /** Said instead where the config tells how many steps a row is a mean of; of one step nothing is said. */
  readonly ofSteps?: Template
  /** Releases from `from` on and before `before`; absent: all. */
  readonly from?: Version
  readonly before?: Version
  readonly unknown?: { readonly id: string; readonly says: Template }
  /** The file, issue or release in which it was read or seen. */
  readonly source: string
}

export type Version = readonly [major: number, minor: number]

export function framework<const Id extends string>(data: FrameworkData<Id>): FrameworkData<Id> {
  return data
}
