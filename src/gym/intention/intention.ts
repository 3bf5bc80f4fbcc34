import type { Episode, Gym, InstantEpisode, Prompts } from '../gym.js'
import { INTERACT } from '../interact-tool.js'
import { openIntention, type Progress } from './episode.js'
import type { IntentionRules } from './rules.js'
import type { InstantSimulator, Simulator } from './simulator.js'
import type { IntentionTask } from './task.js'

/** Somebody asks for something vague; find out by questions what they have left out. */

type Watched = { progress(): Progress }

interface Play {
  readonly rules: IntentionRules
  readonly language: 'en' | 'zh'
}

export function intentionGym(
  play: Play & { readonly simulator: InstantSimulator },
): Gym<IntentionTask, InstantEpisode & Watched>
export function intentionGym(play: Play & { readonly simulator: Simulator }): Gym<IntentionTask, Episode & Watched>
export function intentionGym({
  simulator,
  rules,
  language,
}: Play & { readonly simulator: Simulator }): Gym<IntentionTask, Episode & Watched> {
  return {
    name: 'intention',
    tool: INTERACT,
    prompts: ({ category, task }): Prompts => PROMPTS[language](category, task),
    open: task => openIntention(task, simulator, rules),
  }
}

const PROMPTS = {
  en: (category: string, task: string): Prompts => ({
    system:
      'You help a person whose request leaves important things open. Find out what they are: call the tool interact_with_env ' +
      'with choice "action" and one short question as content. Ask for one thing at a time, the most important first. ' +
      'The number of turns is limited. When nothing is left to ask, say so without a call.',
    user: `Category: ${category}\nRequest: ${task}`,
  }),
  zh: (category: string, task: string): Prompts => ({
    system:
      '有人提出了一个含糊的请求，缺少一些重要信息。请调用工具 interact_with_env（choice 为 "action"，content 为一个简短的问题）' +
      '来问清楚。每次只问一件事，先问最重要的。轮数有限；没有可问的了，就直接说明，不再调用工具。',
    user: `类别：${category}\n请求：${task}`,
  }),
} as const
