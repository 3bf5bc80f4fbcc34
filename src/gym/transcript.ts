import { dialogueText, type KeptTurn } from '../model/dialogue.js'
import type { Dialogue, Turn } from './rollout.js'

/** A dialogue as it is kept with its score. */
export function transcript({ turns, end }: Dialogue): string {
  return dialogueText(turns.map(keptTurn), end.why)
}

function keptTurn({ said, actions, heard, reward, found }: Turn): KeptTurn {
  return { said: actions.length === 0 ? said : actions.join('\n   '), heard, reward, ...(found && { found }) }
}
