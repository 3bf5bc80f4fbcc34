/** Whose names a run speaks. `hf` is the plain Hugging Face Trainer, on which TRL builds. */
export type Framework = 'verl' | 'trl' | 'trl-ppo' | 'openrlhf' | 'hf' | 'lever-plus' | 'klens'

/** Also the order in which a name is read when nothing says whose it is. */
export const FRAMEWORKS: readonly Framework[] = ['verl', 'trl', 'trl-ppo', 'openrlhf', 'hf', 'lever-plus', 'klens']

/** Whose names a framework speaks besides its own. */
export const BASE_OF: { readonly [F in Framework]?: Framework } = { trl: 'hf', 'trl-ppo': 'hf' }

/** Proper names, the same in every language. */
export const FRAMEWORK_NAMES: { readonly [F in Framework]: string } = {
  verl: 'verl',
  trl: 'TRL',
  'trl-ppo': 'TRL PPO',
  openrlhf: 'OpenRLHF',
  hf: 'Hugging Face',
  'lever-plus': 'Lever-Plus',
  klens: 'klens',
}

/**
 * The columns of the vocabulary's tables: what each framework calls a thing, preferred name first.
 * `any` holds names that belong to nobody: own training loops, and the headings of written reports.
 */
export type Aliases = { readonly [F in Framework | 'any']?: readonly string[] }
