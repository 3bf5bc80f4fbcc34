import type { ToolSchema } from './gym.js'

/** The one tool of all gyms, and how a call of it becomes the text that an episode takes. */

export const CHOICES = ['action', 'answer', 'search'] as const

export const INTERACT: ToolSchema = {
  name: 'interact_with_env',
  description: 'Interact with the environment.',
  parameters: {
    type: 'object',
    properties: {
      choice: { type: 'string', enum: CHOICES, description: 'What kind of move this is.' },
      content: { type: 'string', description: 'The question, the answer or the search itself.' },
    },
    required: ['choice', 'content'],
  },
}

/** `[action] …` unless it stands there already; a choice that nobody knows leaves the content as it is. */
export function actionOf(choice: string, content: string): string {
  if (choice === 'finish') return '[finish]'
  const prefix = `[${choice}]`
  return CHOICES.some(known => known === choice) && !content.startsWith(prefix) ? `${prefix} ${content}` : content
}
