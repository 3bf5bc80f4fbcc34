import type { Importance } from '../task.js'

/**
 * What people want. Each wish leaves out two details of its own; a category also says which circumstances occur with it. The
 * categories of `test` never occur in training: what is asked about them must be carried over from others.
 */
export interface Category {
  readonly en: string
  readonly zh: string
  readonly split: 'both' | 'train' | 'test' | 'fresh'
  readonly wishes: readonly Wish[]
  readonly circumstances: readonly string[]
}

export interface Wish {
  readonly en: string
  readonly zh: string
  readonly details: readonly (readonly [kind: string, importance: Importance])[]
}

type WishRow = readonly [en: string, zh: string, first: string, second: string]

function category(
  split: Category['split'],
  en: string,
  zh: string,
  circumstances: string,
  ...rows: readonly WishRow[]
): Category {
  const wishes = rows.map(([english, chinese, ...details]) => ({
    en: english,
    zh: chinese,
    details: details.map(detailOf),
  }))
  return { en, zh, split, wishes, circumstances: circumstances.split(' ') }
}

/** `budget:3`. */
function detailOf(text: string): readonly [kind: string, importance: Importance] {
  const [kind, importance] = text.split(':')
  return [kind, importance === '3' ? 3 : importance === '2' ? 2 : 1]
}

// biome-ignore format: a table is read by its columns
export const CATEGORIES: readonly Category[] = [
  category('both', 'Travel', '旅行', 'tight soon children group sore dog carless wheels outdoors',
    ['plan a week by the sea', '安排一周的海边假期', 'place:3', 'lodging:2'],
    ['spend a weekend in the mountains', '去山里过周末', 'season:2', 'experience:2'],
    ['visit some great museums abroad', '去国外看博物馆', 'place:3', 'interests:2'],
    ['travel through a foreign country by train', '坐火车游览一个国家', 'duration:3', 'language:1'],
    ['take a trip to taste new food', '来一次美食之旅', 'diet:2', 'place:2']),
  category('both', 'Celebrations', '聚会', 'tight soon children group allergic cramped outdoors wheels rented',
    ['throw a party', '办一场派对', 'occasion:3', 'people:2'],
    ['have a dance evening', '办一次舞会', 'music:3', 'place:2'],
    ['invite the neighbours for dinner', '请邻居来吃饭', 'diet:3', 'people:2'],
    ['organise a game night', '组织一次游戏之夜', 'interests:2', 'duration:1'],
    ['set up a surprise for a friend', '给朋友准备惊喜', 'recipient:3', 'deadline:2']),
  category('both', 'Fitness', '健身', 'sore busy beginner failed online outdoors cramped alone',
    ['get stronger', '练得更强壮', 'goal:2', 'tools:2'],
    ['run a longer distance', '跑更长的距离', 'experience:3', 'season:1'],
    ['lose some weight', '减一点体重', 'diet:2', 'goal:3'],
    ['start with yoga', '开始练瑜伽', 'schedule:2', 'space:1'],
    ['train for a competition', '备战一场比赛', 'deadline:3', 'tried:1']),
  category('both', 'Cooking', '烹饪', 'tight allergic children group busy beginner failed cramped',
    ['cook a fine dinner', '做一顿丰盛的晚餐', 'people:2', 'diet:3'],
    ['bake a cake', '烤一个蛋糕', 'occasion:2', 'tools:2'],
    ['prepare lunch for the whole week', '备好一周的午餐', 'diet:2', 'upkeep:1'],
    ['try a new cuisine', '尝试一种新菜', 'interests:1', 'experience:2'],
    ['preserve fruit from the garden', '把园子里的水果做成罐头', 'tools:2', 'durability:1']),
  category('both', 'Gardening', '园艺', 'tight dog children lazy rented sore pretty beginner allergic',
    ['plant something on the balcony', '在阳台上种点东西', 'light:3', 'space:2'],
    ['grow my own vegetables', '自己种菜', 'season:2', 'interests:1'],
    ['make a new flower bed', '开一块新花坛', 'size:2', 'light:2'],
    ['put a few plants into the living room', '在客厅放几盆植物', 'light:2', 'upkeep:2'],
    ['build a small pond', '挖一个小池塘', 'size:3', 'permission:2']),
  category('both', 'Websites', '网站', 'tight soon abroad boss personal lazy pretty oldpc beginner',
    ['build a website', '做一个网站', 'goal:3', 'content:2'],
    ['sell things on the net', '在网上卖东西', 'payment:3', 'goal:1'],
    ['start a blog', '开一个博客', 'content:3', 'audience:2'],
    ['renew an old web page', '翻新一个旧网页', 'style:2', 'tried:1'],
    ['make a page for our club', '给我们的社团做网页', 'audience:2', 'privacy:2']),
  category('both', 'Presentations', '演讲', 'soon boss abroad online careful personal pretty beginner',
    ['give a talk', '做一次演讲', 'audience:3', 'duration:2'],
    ['prepare some slides', '准备一些幻灯片', 'content:3', 'format:2'],
    ['present my results', '汇报我的成果', 'audience:2', 'length:2'],
    ['hold a speech for a friend', '为朋友致辞', 'occasion:3', 'tone:2'],
    ['design a poster', '设计一张海报', 'size:2', 'content:2']),
  category('both', 'Computers', '电脑', 'tight soon children lasting oldpc online cramped gift personal',
    ['buy a laptop', '买一台笔记本', 'goal:3', 'brand:1'],
    ['make my computer faster', '让电脑快一点', 'system:3', 'tried:2'],
    ['keep my files safe', '保护好我的文件', 'risk:2', 'device:2'],
    ['find a good screen', '挑一个好屏幕', 'size:3', 'device:1'],
    ['set up the network at home', '布置家里的网络', 'connection:3', 'space:2']),
  category('both', 'Photography', '摄影', 'tight soon children dog outdoors gift personal beginner lasting',
    ['take better pictures', '拍出更好的照片', 'experience:2', 'interests:2'],
    ['have a family portrait made', '拍一张全家福', 'people:2', 'style:3'],
    ['print my best photos', '把最好的照片印出来', 'size:2', 'format:3'],
    ['buy a camera', '买一台相机', 'brand:1', 'interests:3'],
    ['make an album', '做一本相册', 'occasion:2', 'length:1']),
  category('both', 'Languages', '语言学习', 'busy soon children online failed tight alone beginner',
    ['learn a foreign language', '学一门外语', 'language:3', 'goal:2'],
    ['improve my pronunciation', '改善发音', 'language:2', 'tried:2'],
    ['pass a language exam', '通过语言考试', 'deadline:2', 'experience:3'],
    ['read novels in the original', '读原版小说', 'interests:2', 'experience:2'],
    ['practise talking', '练习口语', 'schedule:2', 'interests:1']),
  category('both', 'Furnishing', '家居布置', 'tight cramped rented dog children pretty lasting soon alone',
    ['furnish a room', '布置一个房间', 'size:3', 'style:2'],
    ['buy a sofa', '买一张沙发', 'material:2', 'size:3'],
    ['put up some shelves', '装几个架子', 'tools:2', 'material:1'],
    ['paint the walls', '粉刷墙壁', 'colour:3', 'tools:1'],
    ['get better lamps', '换更好的灯', 'light:3', 'style:1']),
  category('both', 'Presents', '礼物', 'tight soon children lasting pretty personal careful abroad',
    ['find a present', '挑一件礼物', 'recipient:3', 'occasion:2'],
    ['make something by hand', '亲手做点东西', 'material:2', 'experience:2'],
    ['give a day out as a present', '送一次出游', 'interests:3', 'transport:1'],
    ['send a parcel to a friend', '给朋友寄个包裹', 'place:2', 'content:2'],
    ['thank a teacher', '感谢一位老师', 'occasion:1', 'recipient:2']),
  category('train', 'Moving', '搬家', 'tight soon dog children alone carless careful sore rented',
    ['move to another flat', '搬到另一套公寓', 'deadline:2', 'size:2'],
    ['get rid of old furniture', '处理旧家具', 'size:2', 'transport:2'],
    ['pack everything well', '把东西打包好', 'material:1', 'help:3'],
    ['find a new home', '找一个新住处', 'place:3', 'people:2'],
    ['store my things for a while', '把东西存放一阵', 'duration:3', 'space:2']),
  category('train', 'Pets', '宠物', 'tight children allergic cramped busy rented beginner careful',
    ['get a pet', '养一只宠物', 'pets:3', 'upkeep:2'],
    ['train a puppy', '训练小狗', 'pets:2', 'tried:2'],
    ['find someone to feed my animals', '找人喂我的动物', 'duration:3', 'pets:2'],
    ['travel with my cat', '带猫旅行', 'transport:3', 'duration:1'],
    ['build a home for rabbits', '给兔子搭个窝', 'size:2', 'material:2']),
  category('train', 'Music', '音乐', 'tight busy cramped children failed online beginner gift',
    ['learn an instrument', '学一件乐器', 'music:2', 'goal:2'],
    ['buy a piano', '买一架钢琴', 'size:2', 'brand:2'],
    ['sing in a choir', '参加合唱团', 'experience:2', 'schedule:2'],
    ['record a song', '录一首歌', 'tools:3', 'music:2'],
    ['put together a playlist', '整理一份歌单', 'occasion:2', 'music:3']),
  category('train', 'Hiking', '徒步', 'children dog sore group carless outdoors beginner tight',
    ['go on a hike', '去徒步', 'duration:3', 'place:2'],
    ['sleep in the woods', '在树林里过夜', 'season:3', 'tools:2'],
    ['climb a real mountain', '登一座真正的山', 'experience:3', 'risk:2'],
    ['buy a pair of boots', '买一双登山靴', 'size:3', 'season:1'],
    ['walk an old pilgrim path', '走一条古道', 'duration:2', 'lodging:2']),
  category('train', 'Newsletters', '通讯', 'soon boss abroad personal online lazy alone pretty',
    ['write a newsletter', '写一份通讯', 'audience:3', 'content:2'],
    ['invite members by letter', '写信邀请会员', 'occasion:2', 'tone:2'],
    ['report about the past year', '写去年的总结', 'length:2', 'content:3'],
    ['announce a change', '通知一项变动', 'tone:3', 'audience:1'],
    ['collect stories of our members', '收集成员的故事', 'length:1', 'privacy:3']),
  category('train', 'Cycling', '骑行', 'tight children sore lasting outdoors beginner carless gift',
    ['buy a bicycle', '买一辆自行车', 'goal:2', 'size:3'],
    ['ride to work', '骑车上班', 'place:2', 'risk:2'],
    ['repair my bike', '修我的自行车', 'tools:3', 'tried:1'],
    ['go on a tour by bike', '骑车远行', 'duration:2', 'lodging:2'],
    ['carry heavy loads by bike', '用自行车载重物', 'size:2', 'brand:1']),
  category('train', 'Savings', '储蓄', 'soon children careful failed busy beginner online',
    ['save some money', '存一些钱', 'goal:3', 'schedule:1'],
    ['invest a small sum', '投资一小笔钱', 'risk:3', 'duration:2'],
    ['pay back a loan', '还一笔贷款', 'payment:3', 'deadline:2'],
    ['spend less each month', '每月少花一点', 'budget:2', 'tried:2'],
    ['prepare for my old age', '为养老做准备', 'ages:3', 'risk:2']),
  category('train', 'Reading', '阅读', 'busy children group online tight abroad gift cramped',
    ['read more books', '多读书', 'interests:2', 'schedule:2'],
    ['found a book club', '办一个读书会', 'place:2', 'people:2'],
    ['pick a novel', '挑一本小说', 'interests:3', 'length:1'],
    ['use an electronic reader', '用电子阅读器', 'device:3', 'format:2'],
    ['read aloud to somebody', '给人朗读', 'ages:2', 'duration:1']),
  category('test', 'Weddings', '婚礼', 'tight soon group allergic wheels outdoors pretty careful',
    ['plan a wedding', '筹备婚礼', 'people:3', 'season:2'],
    ['choose the wedding music', '挑选婚礼音乐', 'music:3', 'style:1'],
    ['write the invitations', '写请柬', 'tone:2', 'deadline:2'],
    ['order the wedding cake', '订婚礼蛋糕', 'size:2', 'diet:2']),
  category('test', 'Podcasts', '播客', 'tight busy beginner cramped abroad personal alone',
    ['start a podcast', '做一个播客', 'content:3', 'audience:2'],
    ['improve the sound of my recordings', '改善录音效果', 'tools:3', 'noise:2'],
    ['interview people far away', '采访远方的人', 'connection:3', 'language:2'],
    ['make a short radio play', '做一部短广播剧', 'length:2', 'music:1']),
  category('test', 'Home office', '居家办公', 'cramped children sore tight online dog lasting',
    ['set up a desk at home', '在家布置办公桌', 'space:3', 'light:2'],
    ['buy a good chair', '买一把好椅子', 'health:2', 'material:1'],
    ['work from home without stress', '轻松地在家办公', 'schedule:3', 'noise:2'],
    ['hold meetings from my kitchen', '在厨房里开会', 'device:2', 'connection:2']),
  category('test', 'Volunteering', '志愿活动', 'busy group sore carless beginner outdoors children',
    ['help in my town', '在本地做志愿者', 'interests:3', 'schedule:2'],
    ['collect money for a good cause', '为公益募捐', 'goal:3', 'payment:2'],
    ['clean up a river', '清理一条河', 'tools:2', 'permission:2'],
    ['teach others what I know', '把我会的教给别人', 'experience:2', 'ages:2']),
]

/**
 * Set aside: no rule, default or recipe of klens was chosen by these, and no training or tokenizer has seen a word of them.
 * For looking once at what was chosen by the others.
 */
// biome-ignore format: a table is read by its columns
export const FRESH_CATEGORIES: readonly Category[] = [
  category('fresh', 'Camping cars', '房车', 'tight children dog lasting sore group beginner',
    ['rent a camping car', '租一辆房车', 'duration:3', 'people:2'],
    ['fit a bed into my van', '在面包车里装一张床', 'size:3', 'tools:2'],
    ['park overnight along the coast', '在海岸边过夜停车', 'place:2', 'permission:3'],
    ['sell an old caravan', '卖掉旧拖挂房车', 'payment:2', 'deadline:2']),
  category('fresh', 'Beekeeping', '养蜂', 'beginner allergic cramped rented alone careful tight',
    ['keep bees', '养蜂', 'space:3', 'experience:2'],
    ['harvest honey', '收蜂蜜', 'season:2', 'tools:3'],
    ['bring a swarm through the winter', '让蜂群过冬', 'upkeep:3', 'risk:2'],
    ['sell honey at the market', '在集市上卖蜂蜜', 'format:2', 'permission:2']),
  category('fresh', 'School exams', '升学考试', 'soon busy failed online children alone',
    ['revise for the maths exam', '复习数学考试', 'content:3', 'schedule:2'],
    ['help my daughter with chemistry', '帮女儿学化学', 'ages:2', 'tried:2'],
    ['hire a tutor', '请一位家教', 'goal:2', 'language:1'],
    ['apply to a university', '申请大学', 'interests:3', 'deadline:2']),
  category('fresh', 'Board games', '桌游', 'group children tight abroad gift pretty busy',
    ['design a board game', '设计一款桌游', 'audience:3', 'material:2'],
    ['buy a game for rainy days', '买一款雨天玩的游戏', 'people:3', 'ages:2'],
    ['run a chess tournament', '办一场象棋赛', 'people:2', 'fallback:1'],
    ['translate the rules of a game', '翻译游戏规则', 'language:3', 'length:2']),
  category('fresh', 'Sailing', '帆船', 'beginner group careful sore tight lasting outdoors',
    ['learn to sail', '学开帆船', 'place:3', 'goal:2'],
    ['charter a boat', '租一条船', 'size:3', 'duration:2'],
    ['paint the hull', '给船体刷漆', 'colour:2', 'material:3'],
    ['cross the bay at night', '夜里横渡海湾', 'risk:3', 'season:2']),
  category('fresh', 'Elder care', '照顾老人', 'sore wheels tight busy alone careful dog',
    ['find care for my father', '给父亲找护理', 'health:3', 'place:2'],
    ['make the bathroom safe', '把浴室改安全', 'size:2', 'permission:2'],
    ['cheer up my grandmother', '让奶奶开心', 'interests:3', 'ages:1'],
    ['arrange rides to the doctor', '安排去看医生的车', 'schedule:3', 'help:2']),
  category('fresh', 'Ceramics', '陶艺', 'beginner gift pretty cramped lasting tight children',
    ['throw a vase', '拉坯做个花瓶', 'size:2', 'style:3'],
    ['buy a kiln', '买一座窑', 'space:3', 'connection:1'],
    ['glaze a set of plates', '给一套盘子上釉', 'colour:3', 'recipient:2'],
    ['take a pottery class', '上陶艺课', 'schedule:2', 'place:2']),
  category('fresh', 'Local elections', '地方选举', 'boss soon personal abroad busy group online',
    ['run for the town council', '竞选镇议员', 'goal:3', 'audience:2'],
    ['write a leaflet', '写一份传单', 'length:2', 'tone:3'],
    ['organise a debate', '组织一场辩论', 'people:2', 'format:2'],
    ['count the votes fairly', '公正地计票', 'help:2', 'fallback:3']),
]

/** What people let slip about their situation, in several wordings, and what that makes worth asking. */
interface Circumstance {
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
