import { dialogueText, type KeptTurn, sumOfRewards } from '../../logs/model/dialogue.js'
import type { Message } from '../../logs/model/run.js'
import { actionOf, type EpisodeOutcome, feedbackText, type Gym, type Step } from './gym.js'
import type { Policy, Said, ToolCall } from './policy.js'

/**
 * One dialogue of a policy in a gym, counted as UserRL's rollout and evaluation count: a turn is one message of the policy,
 * with or without a call. Its quirks are switches here too (docs/gym.md).
 */
export interface RolloutRules {
  readonly maxTurns: number
  /** The policy reads its reward behind each answer. UserRL does so in training, and not in its evaluation. */
  readonly showReward: boolean
  /** The dialogue ends as the last turn is counted, before its call is carried out: 16 turns are 15 questions. */
  readonly limitSkipsLastCall: boolean
  /** Several calls in one message: only the reward of the last one counts, or their sum. */
  readonly parallelCalls: 'last' | 'sum'
}

export const USERRL_ROLLOUT: RolloutRules = {
  maxTurns: 16,
  showReward: false,
  limitSkipsLastCall: true,
  parallelCalls: 'last',
}

export interface Turn {
  /** What the policy said. */
  readonly said: string
  readonly actions: readonly string[]
  readonly heard: readonly string[]
  /** Null where the simulator failed. */
  readonly reward: number | null
  readonly gained: number
  /** What that was, in words, where there are any. */
  readonly found?: readonly string[]
  readonly malformed: number
}

/** A message without a call ends the dialogue: `stopped`. */
export type DialogueOutcome = EpisodeOutcome | { readonly why: 'stopped' }

export interface Dialogue {
  readonly turns: readonly Turn[]
  readonly end: DialogueOutcome
}

export async function playDialogue<Task>(
  gym: Gym<Task>,
  policy: Policy<Task>,
  { task, repeat }: { readonly task: Task; readonly repeat: number },
  rules: RolloutRules,
): Promise<Dialogue> {
  const episode = gym.open(task)
  const player = policy.open({ task, prompts: gym.prompts(task), tool: gym.tool, repeat })
  const turns: Turn[] = []
  let heard: readonly string[] = []
  for (;;) {
    const said = await player.next(heard)
    if (said.kind === 'missing') return { turns, end: { why: 'failed', reason: said.reason } }
    const actions = actionsIn(said, gym.tool.name)
    const refused = refusedTurn(said, actions, turns.length, rules)
    if (refused !== null) return { turns: [...turns, refused.turn], end: refused.end }
    const steps: Step[] = []
    for (const action of actions) {
      steps.push(await episode.step(action))
      if (steps[steps.length - 1].end !== null) break
    }
    const { turn, end } = carriedOut(said, actions, steps, turns.length, rules)
    turns.push(turn)
    if (end !== null) return { turns, end }
    heard = turn.heard
  }
}

/** What a message asks the gym to do, call by call. */
export function actionsIn({ calls }: Said, tool: string): readonly string[] {
  return calls.filter(({ name }) => name === tool).map(actionFrom)
}

/** A message that ends the dialogue before anything is carried out; null where the gym is to act. */
export function refusedTurn(
  { text, malformed }: Said,
  actions: readonly string[],
  turnsBefore: number,
  rules: RolloutRules,
): { readonly turn: Turn; readonly end: DialogueOutcome } | null {
  const turn = { said: text, malformed, actions: [], heard: [], reward: 0, gained: 0 }
  if (actions.length === 0) return { turn, end: { why: 'stopped' } }
  return turnsBefore + 1 >= rules.maxTurns && rules.limitSkipsLastCall ? { turn, end: { why: 'limit' } } : null
}

/** A message whose actions have been carried out, up to the one that ended the episode. */
export function carriedOut(
  { text, malformed }: Said,
  actions: readonly string[],
  steps: readonly Step[],
  turnsBefore: number,
  rules: RolloutRules,
): { readonly turn: Turn; readonly end: DialogueOutcome | null } {
  const turn = {
    said: text,
    malformed,
    actions: actions.slice(0, steps.length),
    heard: steps.map(step => toolText(step, rules.showReward)),
    reward: countedReward(
      steps.map(({ reward }) => reward),
      rules,
    ),
    gained: gainedIn(steps),
    ...foundIn(steps),
  }
  const isLast = turnsBefore + 1 >= rules.maxTurns
  return { turn, end: steps[steps.length - 1].end ?? (isLast ? { why: 'limit' } : null) }
}

/** What a call says to the gym; one without a content says nothing, which the gym may judge. */
function actionFrom({ arguments: { choice, content } }: ToolCall): string {
  return actionOf(feedbackText(choice ?? ''), feedbackText(content ?? ''))
}

/** What the policy reads after a call. */
function toolText({ feedback, reward }: Step, showReward: boolean): string {
  return showReward ? `${feedbackText(feedback)}\nReward: ${reward ?? ''}` : feedbackText(feedback)
}

function countedReward(rewards: readonly (number | null)[], { parallelCalls }: RolloutRules): number | null {
  if (rewards.includes(null)) return null
  const known = rewards.flatMap(reward => reward ?? [])
  return parallelCalls === 'last' ? known[known.length - 1] : known.reduce((sum, reward) => sum + reward, 0)
}

function foundIn(steps: readonly Step[]): Pick<Turn, 'found'> {
  const found = steps.flatMap(step => step.found ?? [])
  return found.length === 0 ? {} : { found }
}

function gainedIn(steps: readonly Step[]): number {
  return steps.reduce((sum, { gained }) => sum + gained, 0)
}

/** What a dialogue was worth. A failed one is worth nothing that anybody could know: null, never 0. */
export interface DialogueFigures {
  readonly score: number | null
  readonly turns: number
  /** Turns that found nothing. */
  readonly wasted: number
  /** Turns that asked for several things at once. */
  readonly compound: number
  readonly malformed: number
  readonly gained: number
  readonly why: DialogueOutcome['why']
  readonly reason: Message | null
}

export function figuresOf({ turns, end }: Dialogue): DialogueFigures {
  const isFailed = end.why === 'failed'
  return {
    score: isFailed ? null : sumOfRewards(turns.map(({ reward }) => reward ?? 0)),
    turns: turns.length,
    wasted: turns.filter(({ gained }) => gained === 0).length,
    compound: turns.filter(({ gained }) => gained > 1).length,
    malformed: turns.reduce((sum, { malformed }) => sum + malformed, 0),
    gained: turns.reduce((sum, { gained }) => sum + gained, 0),
    why: end.why,
    reason: isFailed ? end.reason : null,
  }
}

/** A dialogue as it is kept with its score. */
export function transcript({ turns, end }: Dialogue): string {
  return dialogueText(turns.map(keptTurn), end.why)
}

function keptTurn({ said, actions, heard, reward, found }: Turn): KeptTurn {
  return { said: actions.length === 0 ? said : actions.join('\n   '), heard, reward, ...(found && { found }) }
}
