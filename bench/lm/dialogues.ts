import type { ChatMessage } from '../../src/lab/train/lm/chat.js'
import { type Random, seededRandom } from '../../src/stats/random.js'

/**
 * Made-up dialogues for a language model to learn from, in English and Chinese: somebody wants something, the assistant
 * asks for a detail with a tool call, the tool tells, and so on. What is asked depends on what is wanted, so that there
 * is something to learn.
 */
interface Wish {
  readonly thing: string
  readonly details: readonly (readonly [question: string, answers: readonly string[]])[]
}

const ENGLISH: readonly Wish[] = [
  {
    thing: 'a birthday cake',
    details: [
      ['How many people will eat it?', ['Six of us.', 'About 20 people.', 'Only two.']],
      ['Is anyone allergic to something?', ['Nuts, please none.', "No, we're fine.", 'My son cannot have eggs.']],
      ['When do you need it?', ['On Friday at 3 pm.', 'Tomorrow morning!', 'In two weeks.']],
    ],
  },
  {
    thing: 'a walking tour',
    details: [
      ['How far do you like to walk?', ['10 kilometres at most.', 'Not far, my knee hurts.', 'As far as it takes.']],
      ['Which season are you planning for?', ['Late autumn.', 'The first week of May.', 'Winter, with snow.']],
    ],
  },
  {
    thing: 'a used bicycle',
    details: [
      ['How tall are you?', ['1.74 m.', 'Quite short, 155 cm.', 'Nearly two metres.']],
      ['What will you spend?', ['Up to $300.', 'As little as possible.', 'Money is no problem.']],
      ['Will you ride it on roads or in the woods?', ['Both, really.', 'Only to work and back.', 'Mud and roots.']],
    ],
  },
  {
    thing: 'a letter to my landlord',
    details: [
      ['What has to be repaired?', ['The heating.', 'A window that lets the rain in.', 'The lift, again.']],
      ['How firm should it sound?', ['Polite, please.', 'Firm; it is the third time.', 'Somewhere between.']],
    ],
  },
]

const CHINESE: readonly Wish[] = [
  {
    thing: '一份周末菜单',
    details: [
      ['有几个人吃饭？', ['四个人。', '就我一个。', '大概十来个。']],
      ['有什么不吃的吗？', ['不吃辣。', '海鲜过敏。', '都可以。']],
    ],
  },
  {
    thing: '一台笔记本电脑',
    details: [
      ['主要用来做什么？', ['写论文。', '剪视频，偶尔玩游戏。', '上网课。']],
      ['预算是多少？', ['5000 元以内。', '不超过八千。', '越便宜越好。']],
    ],
  },
]

const OPENINGS = {
  en: [(thing: string) => `I need ${thing}.`, (thing: string) => `Could you help me with ${thing}?`],
  zh: [(thing: string) => `我想要${thing}。`, (thing: string) => `请帮我准备${thing}。`],
}
const CLOSINGS = { en: 'Thank you, I know enough now.', zh: '谢谢，我都清楚了。' }
const SYSTEM = { en: 'Ask one question at a time.', zh: '一次只问一个问题。' }

export function dialogues(count: number, seed: number): readonly (readonly ChatMessage[])[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => dialogue(random))
}

function dialogue(random: Random): readonly ChatMessage[] {
  const language = random.below(3) === 0 ? 'zh' : 'en'
  const { thing, details } = pick(language === 'zh' ? CHINESE : ENGLISH, random)
  const exchanges = details.flatMap(([question, answers]): ChatMessage[] => [
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ name: 'ask', arguments: { choice: 'action', content: question } }],
    },
    { role: 'tool', content: pick(answers, random) },
  ])
  return [
    { role: 'system', content: SYSTEM[language] },
    { role: 'user', content: pick(OPENINGS[language], random)(thing) },
    ...exchanges,
    { role: 'assistant', content: CLOSINGS[language] },
  ]
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random.below(items.length)]
}
