// Hard rules on cruelty, weapons, self-harm, hate and terror, English. Each requires a second word nearby: a victim, a "how to",
// a group of people, so that horror films, history and housework stay possible.
import { either, has, near, type Rule, words } from './rule-parts.ts'

const animals = 'animals?|pets?|cats?|dogs?|kittens?|pupp(?:y|ies)|hamsters?|rabbits?|monkeys?|horses?'
const people =
  'm[ae]n|wom[ae]n|persons?|people|humans?|guys?|lad(?:y|ies)|girls?|boys?|child(?:ren)?|kids?|bab(?:y|ies)|prisoners?|' +
  'hostages?|captives?|victims?|soldiers?|enem(?:y|ies)|bod(?:y|ies)|corpses?|him|her|them|someone|somebody|' +
  'neighbou?rs?|wi(?:fe|ves)|husbands?|parents?|teachers?|heads?|limbs?|classmates?|cowork(?:er|ers)'
const groups =
  'jews?|jewish(?: \\p{L}+)?|muslims?|christians?|hindus?|blacks?|black people|whites?|white people|gays?|lesbians?|trans(?:gender)?(?: people)?|' +
  'immigrants?|refugees?|migrants?|foreigners?|arabs?|asians?|roma|gyps(?:y|ies)|mexicans?|africans?|disabled people'

const howTo =
  '(?:how to|how do (?:i|you)|how can i|instructions? (?:for|to|on)|tutorial(?: on|:)?|guide (?:to|for)|steps to|recipe for)'
const making =
  '(?:make|making|build|building|construct|assembl(?:e|ing)|create|creating|cook|cooking|produce|mix|mixing)'
const weapons =
  '(?:(?:pipe|nail|car|dirty|fertili[sz]er|home-?made|petrol|pressure cooker|suicide) )?bombs?|' +
  '(?:improvised )?explosives?(?: devices?| vests?)?|ieds?|molotov(?: cocktails?)?|nerve (?:agents?|gas)|sarin|ricin|' +
  'anthrax|mustard gas|(?:chemical|biological) weapons?|bioweapons?|ghost guns?|suicide vests?|' +
  '(?:crystal )?meth(?:amphetamine)?|fentanyl'

const mutilation = words(
  'behead(?:s|ed|ing|ings)?|decapitat(?:e|es|ed|ing|ion|ions)|dismember(?:s|ed|ing|ment)?|mutilat(?:e|es|ed|ing|ion)',
  'disembowel(?:s|l?ed|l?ing)?|eviscerat(?:e|es|ed|ing|ion)|tortur(?:e|es|ed|ing)|flay(?:s|ed|ing)?|impal(?:e|es|ed|ing)',
  '(?:skinn|burn|buri|eaten|saw)(?:ed|t|ing|n)? alive|electrocut(?:e|es|ed|ing)|lynch(?:ed|ing|ings)|crucify(?:ing)?',
  '(?:hack|chopp|cut|rip|ripp|torn|tear|saw)(?:s|ed|ing|n)? (?:\\p{L}+ )?(?:to pieces|into pieces|to death|apart|in half)',
  '(?:beat|beats|beaten|beating|stab|stabbed|stabbing|bludgeon(?:ed|ing)?|ston(?:ed|ing)) (?:\\p{L}+ )?to death',
)

export const violenceRules: Rule[] = [
  {
    topic: 'graphic cruelty',
    test: either(
      near(mutilation, words(people, animals), 5),
      near(
        '(?:set|sets|setting) on fire|burn(?:ed|t|ing) with|drown(?:ed|ing)|strangl(?:e|es|ed|ing)|abus(?:ed|ing)|crush video',
        animals,
        3,
      ),
      has(
        'execut(?:e|es|ed|ing)(?: \\p{L}+){0,2} (?:prisoners?|hostages?|civilians?|villagers?|captives?|famil(?:y|ies)|refugees?)',
      ),
      near(
        'flesh',
        'melt(?:s|ed|ing)?|peel(?:s|ed|ing)?|rip(?:s|ped|ping)?|torn|tear(?:s|ing)?|burn(?:s|ed|ing) off',
        3,
      ),
      near(
        'kick(?:s|ed|ing)?|punch(?:es|ed|ing)?|beat(?:s|en|ing)?|stomp(?:s|ed|ing)?',
        'until (?:he|she|they|it) (?:stops? (?:moving|breathing)|dies?|bleeds?|is dead|are dead)',
        8,
      ),
      has('snuff (?:films?|videos?|movies?)|(?:extreme|graphic|realistic|real|brutal|bloody|excessive) gore'),
      has('severed (?:\\p{L}+ )?(?:heads?|limbs?|arms?|legs?|hands?|fingers?|genitals?)|gore (?:porn|videos?)'),
      near('goug(?:e|es|ed|ing)|rip(?:s|ped|ping)? out|torn out', 'eyes?|eyeballs?|hearts?|tongues?|teeth', 4),
      near('slit(?:s|ting)?|slash(?:es|ed|ing)?|cut(?:s|ting)?', 'throats?', 3),
      near(
        'intestines|entrails|guts|innards|brains',
        'spill(?:s|ing|ed)?|ripped|torn|splatter(?:s|ed|ing)?|hanging out',
        4,
      ),
    ),
  },
  {
    topic: 'instructions for weapons or for harming people',
    test: either(
      has(`(?:${howTo}) ${making} (?:an? |some |your own |the )?(?:${weapons})`),
      near(`${making} (?:an? |some |your own |the )?(?:${weapons})`, howTo, 6),
      near(
        '(?:poison|toxic|chlorine|mustard) gas',
        words(howTo, making, 'demonstration|demonstrat(?:e|es|ing)|household chemicals'),
        6,
      ),
      near('(?:3d[- ]print(?:ed|ing|s)?|untraceable|unregistered|home-?made)', 'guns?|pistols?|firearms?|rifles?', 2),
      has('how to (?:\\p{L}+ and )?(?:kidnap|abduct|strangle|murder)'),
      has(`(?:${weapons}) (?:tutorial|instructions|recipe|building guide|making guide)`),
      near(howTo, `(?:kill|murder|poison|strangle|stab|kidnap|drug)(?:ing)? (?:an? |your |my |the )?(?:${people})`, 3),
    ),
  },
  {
    topic: 'self-harm',
    test: either(
      near(howTo, '(?:kill|hang|cut)(?:ing|ting)? (?:my|your)self|(?:commit(?:ting)? )?suicide', 3),
      has(
        '(?:slit|slits|slitting|slash|slashes|slashing|cut|cuts|cutting) (?:her|his|their|my|your) (?:own )?(?:wrists?|arms|forearms?|thighs|skin)',
      ),
      has(
        '(?:end|ends|ending|tak(?:e|es|ing)) (?:her|his|their|my|your) (?:own )life|end(?:s|ing)? (?:her|his|my) life',
      ),
      has('self[- ]?harm(?:ing)? (?:tutorial|tips|instructions|guide|scene|video)|pro[- ]ana|thinspo(?:ration)?'),
      near('nooses?', 'necks?|chairs?|steps? off|kicks?', 5),
      has('starv(?:e|es|ed|ing) (?:her|him|my|your)self'),
      has('(?:glorif(?:y|ies|ying)|promot(?:e|es|ing)) (?:suicide|self[- ]?harm|anorexia)'),
    ),
  },
  {
    topic: 'hate or terror',
    test: either(
      has(
        `(?:kill|gas|exterminate|eradicate|murder|lynch|shoot|burn|hang) (?:all )?(?:the |every |those )?(?:${groups})`,
      ),
      has(`(?:extermination|genocide|annihilation|cleansing) of (?:all )?(?:the )?(?:${groups})`),
      has(`(?:${groups}) (?:should|must|deserve to) (?:all )?(?:die|be (?:killed|gassed|exterminated|shot|hanged))`),
      near(groups, '(?:as|like|are) (?:apes?|monkeys?|vermin|rats|cockroaches|parasites|subhumans?)', 3),
      near(
        'burning cross(?:es)?|cross(?:es)? (?:is|are|was|were) burn(?:ed|t|ing)',
        'black|lawn|famil(?:y|ies)|hoods?|robes?',
        5,
      ),
      near('(?:mass|school) shootings?', 'video game|game|first[- ]person|pov|fun|funny|epic|cool', 6),
      has('heil hitler|sieg heil|white power|race war now|hitler (?:was|is) (?:right|a hero)'),
      near(
        'glorif(?:y|ies|ied|ying)|celebrat(?:e|es|ing)|prais(?:e|es|ing)|heroic|worship(?:s|ping)?',
        'hitler|nazis?|nazism|holocaust|genocide|terroris(?:m|ts?)|isis|mass (?:shootings?|shooters?)|school shooters?',
        4,
      ),
      near(
        'isis|isil|al[- ]qaeda|islamic state|terrorists?|neo-?nazis?',
        'join|recruit(?:ment|ing)?|propaganda|executions?',
        4,
      ),
    ),
  },
]
