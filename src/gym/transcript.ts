import type { Dialogue, Turn } from './rollout.js'

/** A dialogue as text: what was asked, what came back, what it earned, and why it ended. */
export function transcript({ turns, end }: Dialogue): string {
  return [...turns.map(turnText), `— ${end.why}`].join('\n')
}

function turnText({ said, actions, heard, reward }: Turn, index: number): string {
  const asked = actions.length === 0 ? said : actions.join('\n   ')
  const earned = reward === null ? '?' : Number(reward.toFixed(6))
  return `${index + 1}. ${asked}\n   → ${heard.join('\n   → ') || '–'}  (${earned})`
}
