import type { Importance } from '../task.js'

/** What people let slip about their situation, in several wordings, and what that makes worth asking. */
export interface Circumstance {
  readonly en: readonly string[]
  readonly zh: readonly string[]
  readonly details: { readonly [kind: string]: Importance }
}

// biome-ignore format: a table is read by its columns
export const CIRCUMSTANCES: { readonly [name: string]: Circumstance } = {
  tight: { en: ['money is tight', 'I must watch my wallet', 'it cannot cost much'], zh: ['手头比较紧', '钱不多', '不能太贵'], details: { budget: 3 } },
  soon: { en: ['it has to happen soon', 'there is not much time left', 'I am in a hurry'], zh: ['得尽快', '剩下的时间不多', '比较急'], details: { deadline: 3 } },
  children: { en: ['my children join in', 'the little ones come along', 'it involves some kids'], zh: ['孩子们也参加', '会带上小朋友', '有小孩一起'], details: { ages: 3 } },
  group: { en: ['we are a whole group', 'quite a few of us take part', 'I am not alone in this'], zh: ['我们是一大群人', '参加的人不少', '不止我一个'], details: { people: 3 } },
  beginner: { en: ['all of it is new to me', 'I have no idea where to start', 'this is my first time'], zh: ['我完全是新手', '不知道从哪里开始', '这是头一回'], details: { experience: 3 } },
  gift: { en: ['it is meant as a present', 'I want to surprise somebody', 'someone dear will get it'], zh: ['打算送人', '想给人一个惊喜', '是给亲近的人的'], details: { recipient: 3, occasion: 1 } },
  sore: { en: ['my back gives me trouble', 'I am not as fit as I was', 'my body has its limits'], zh: ['腰一直不太好', '体力不如从前', '身体有些限制'], details: { health: 3 } },
  cramped: { en: ['we live in a tiny flat', 'the walls are thin here', 'there are neighbours all around'], zh: ['我们住得很挤', '墙很薄', '周围都是邻居'], details: { space: 1, noise: 2 } },
  dog: { en: ['there is a dog in the house', 'my furry friend is always near', 'the cat goes where it wants'], zh: ['家里有只狗', '毛孩子总在身边', '猫到处跑'], details: { pets: 2 } },
  abroad: { en: ['people abroad will use it too', 'some of them come from far away', 'not everybody understands me'], zh: ['国外的人也会用', '有人来自很远的地方', '不是人人都听得懂我的话'], details: { language: 2 } },
  boss: { en: ['my boss will look at it', 'it is for the office', 'important guests will see it'], zh: ['老板会看', '是单位里用的', '会有重要的客人看到'], details: { tone: 2, audience: 1 } },
  outdoors: { en: ['most of it is outdoors', 'we will be in the open air', 'there is no roof above us'], zh: ['大部分在户外', '会在露天', '头上没有屋顶'], details: { season: 2 } },
  online: { en: ['it all happens online', 'we only meet on screen', 'everything goes over the net'], zh: ['全都在线上', '我们只在屏幕上见面', '一切通过网络'], details: { connection: 1 } },
  busy: { en: ['I hardly have a free minute', 'my job eats up my days', 'my calendar is full'], zh: ['我几乎抽不出空', '工作占满了每一天', '日历都排满了'], details: { schedule: 3 } },
  rented: { en: ['the place is not mine', 'I only rent here', 'the house belongs to others'], zh: ['地方不是我的', '我只是租客', '房子是别人的'], details: { permission: 2 } },
  allergic: { en: ['some of us cannot stand everything', 'somebody gets a rash easily', 'one of us sneezes a lot'], zh: ['有人不是什么都受得了', '有人容易起疹子', '有人老打喷嚏'], details: { allergy: 3 } },
  lasting: { en: ['it should serve me for long', 'I do not want to buy twice', 'it will be used a lot'], zh: ['希望能用很久', '不想买第二次', '会经常用到'], details: { durability: 2 } },
  failed: { en: ['my first try came to nothing', 'I have given up once', 'it did not work before'], zh: ['第一次没成', '我放弃过一次', '之前没做好'], details: { tried: 2 } },
  personal: { en: ['it is rather personal', 'I do not want to share all of it', 'some of it is a secret'], zh: ['内容比较私人', '不想全都说出去', '有些是秘密'], details: { privacy: 2 } },
  carless: { en: ['I gave up driving', 'nobody can drive me', 'the bus rarely comes here'], zh: ['我不再开车了', '没人能送我', '这里很少有公交'], details: { transport: 2 } },
  pretty: { en: ['it should please the eye', 'I want it to be beautiful', 'people should admire it'], zh: ['要赏心悦目', '希望漂亮一些', '要让人羡慕'], details: { style: 2, colour: 1 } },
  lazy: { en: ['I do not want much work with it', 'it should run by itself', 'I forget such things'], zh: ['不想花太多功夫', '最好能自己运转', '我老是忘事'], details: { upkeep: 2 } },
  alone: { en: ['it is too much for one person', 'I cannot do it by myself', 'two hands are not enough'], zh: ['一个人忙不过来', '我自己做不了', '光靠一双手不够'], details: { help: 2 } },
  wheels: { en: ['one of us uses a wheelchair', 'my mother cannot climb', 'one of us walks badly'], zh: ['我们中有人坐轮椅', '我妈妈爬不了楼', '有人走路不便'], details: { access: 3 } },
  oldpc: { en: ['my machine is ancient', 'nothing new runs here', 'I never update anything'], zh: ['我的机器很老', '新东西都跑不动', '我从不更新'], details: { system: 2 } },
  careful: { en: ['nothing may go wrong', 'I hate surprises', 'I sleep badly when I worry'], zh: ['不能出差错', '我讨厌意外', '一担心就睡不好'], details: { risk: 2, fallback: 1 } },
}
