import { expect, it } from 'vitest'
import { dialogueIn } from './dialogue.js'

it('reads a kept dialogue turn by turn, with what came back, the reward and how it ended', () => {
  const text =
    '1. Where to?\n   and when?\n   → To Rome.\n   → In May.  (0.5)\n   + Destination\n   + Month\n2. Which hotel?\n   → –  (0)\n— solved'
  expect(dialogueIn(text)).toEqual({
    turns: [
      { asked: 'Where to?\nand when?', heard: ['To Rome.', 'In May.'], reward: '0.5', found: ['Destination', 'Month'] },
      { asked: 'Which hotel?', heard: ['–'], reward: '0', found: [] },
    ],
    ended: 'solved',
  })
  expect(dialogueIn('The answer is 42.')).toBeNull()
  expect(dialogueIn('1. A numbered list\n2. is no dialogue')).toBeNull()
})
