// What no prompt may ask for, as rules of our own that come before every dictionary and model.
// English; the gravest of them in other languages are in hard-rules-languages.ts. Pure tests on folded readings.

import { either, has, near, type Test, words } from './rule-parts.ts'

export type Topic =
  | 'sexual content with minors'
  | 'sexual violence'
  | 'sexually explicit content'
  | 'undressing people without their consent'
  | 'graphic cruelty'
  | 'instructions for weapons or for harming people'
  | 'self-harm'
  | 'hate or terror'

export interface Rule {
  topic: Topic
  test: Test
}

const ageWords =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen'
const ages = `(?:[1-9]|1[0-7]|${ageWords})`
const minors = words(
  "child(?:ren)?(?:'s)?|kids?|kiddies?|toddlers?|infants?|newborns?|bab(?:y|ies)|minors?|juveniles?|adolescents?",
  'under[- ]?aged?|pre-?teens?|pre-?pubescent|pubescent|tweens?|teens?|teen-?age(?:d|rs?)?|loli(?:ta)?s?|shotas?',
  'school-?(?:girl|boy|child|kid)(?:s|ren)?|(?:little|small|young) (?:girl|boy|one|kid|daughter|son|sister|brother)s?',
  `${ages}[ -]?(?:years?|yrs?)?[ -]?(?:olds?|yo|y/o)`,
  `${ages} ?(?:yo|y/o|yrs?)`,
  `age[ds]?:?(?: of)? ${ages}`,
  'kindergart(?:en|eners?)|elementary school|primary school|middle school|boy scouts?|girl scouts?',
)
const sexual = words(
  'nudes?|nudity|naked|unclothed|undress(?:es|ed|ing)?|topless|bottomless|(?:without|no) (?:any )?cloth(?:es|ing)',
  'sex|sexy|sexual(?:ly|i[sz]ed|i[sz]ing)?|sexting|erotic(?:a|ally)?|porn(?:o|os|ographic|ography)?|nsfw|xxx|hentai',
  'orgasm(?:s|ic)?|orgy|masturbat(?:e|es|ing|ion)|fetish|lewd|horny|seductive(?:ly)?|seduc(?:e|es|ed|ing)|lingerie',
  'stripping|striptease|strips? naked|genitals?|penis|vagina|intercourse|blowjobs?|molest(?:s|ed|ing|ation)?',
  'fondl(?:e|es|ed|ing)|rap(?:e|es|ed|ing)|aroused|upskirt|panties|cum|fuck(?:s|ed|ing)?',
)

const people =
  'm[ae]n|wom[ae]n|persons?|people|humans?|guys?|lad(?:y|ies)|girls?|boys?|child(?:ren)?|kids?|bab(?:y|ies)|prisoners?|' +
  'hostages?|captives?|victims?|soldiers?|enem(?:y|ies)|bod(?:y|ies)|corpses?|animals?|cats?|dogs?|kittens?|pupp(?:y|ies)|' +
  'him|her|them|someone|somebody|neighbou?rs?|wi(?:fe|ves)|husbands?|parents?|teachers?|heads?|limbs?'
const victims = words(people)
const groups =
  'jews?|muslims?|christians?|hindus?|blacks?|whites?|gays?|lesbians?|trans(?:gender)?s?|immigrants?|refugees?|' +
  'migrants?|foreigners?|arabs?|asians?|roma|gyps(?:y|ies)|mexicans?|africans?|women|disabled people'

const howTo =
  '(?:how to|how do (?:i|you)|how can i|instructions? (?:for|to|on)|tutorial(?: on|:)?|guide (?:to|for)|steps to|recipe for)'
const weapons =
  '(?:(?:pipe|nail|car|dirty|fertili[sz]er|home-?made|petrol|pressure cooker|suicide) )?bombs?|explosives?(?: devices?)?|' +
  'ieds?|molotov(?: cocktails?)?|nerve (?:agents?|gas)|sarin|ricin|anthrax|mustard gas|chemical weapons?|' +
  'bio(?:logical )?weapons?|ghost guns?|silencers?|meth(?:amphetamine)?|explosive vests?|suicide vests?'
const making = '(?:make|making|build|building|construct|assemble|create|cook|produce|mix)(?:ing)?'

export const hardRules: Rule[] = [
  {
    topic: 'sexual content with minors',
    test: either(
      near(minors, sexual, 10),
      has(words('lolicon|shotacon|jailbait|pedo ?porn|paedo ?porn|pthc|(?:loli|shota) (?:art|girls?|boys?)')),
    ),
  },
  {
    topic: 'sexual violence',
    test: either(
      has(words('(?:gang[ -]?)?rap(?:es?|ed|ing|ists?)|molest(?:s|ed|ing|ation|ers?)?|necrophilia|incest(?:uous)?')),
      has(words('bestiality|zoophilia|sex (?:with|between) (?:an? )?(?:dogs?|horses?|animals?|corpses?)')),
      has(words('(?:non[ -]?consensual|forced|without (?:her|his|their) consent) (?:sex|intercourse|oral)')),
      has(words('sexual(?:ly)? (?:assault(?:s|ed|ing)?|abus(?:e|es|ed|ing)|tortur(?:e|es|ed|ing)|slav(?:e|es|ery))')),
    ),
  },
  {
    topic: 'sexually explicit content',
    test: either(
      has(words('(?:having|have|has|had) (?:\\p{L}+ )?sex|(?:oral|anal|group|explicit|hardcore|live|rough) sex')),
      has(
        words(
          'sex (?:scenes?|tapes?|acts?|toys?|slaves?|party|video|positions?)|nsfw|erotica|porn(?:o|ographic|ography)?',
        ),
      ),
      near(
        words('nudes?|naked|topless|unclothed'),
        words('wom[ae]n|m[ae]n|girls?|boys?|lad(?:y|ies)|couples?|people|person|actress(?:es)?|celebrit(?:y|ies)|body'),
        3,
      ),
    ),
  },
  {
    topic: 'undressing people without their consent',
    test: either(
      has(
        words(
          'nudif(?:y|ies|ied|ying)|undress (?:her|him|them|the|this)|deep-?(?:fake|nude)s? (?:porn|nudes?|sex)|deepnudes?',
        ),
      ),
      has(
        words(
          '(?:take|takes|taking|remov(?:e|es|ing)|rip(?:s|ping)?|strip(?:s|ping)?|tear(?:s|ing)?)(?: off)? ' +
            "(?:her|his|their|the (?:woman|man|girl|boy)'s) (?:clothes|clothing|underwear|bra|panties|bikini)(?: off)?",
        ),
      ),
      has(words('make (?:her|him|them) (?:naked|nude)|(?:her|him|them) without (?:any )?clothes')),
    ),
  },
  {
    topic: 'graphic cruelty',
    test: either(
      near(
        words(
          'behead(?:s|ed|ing|ings)?|decapitat(?:e|es|ed|ing|ion|ions)|dismember(?:s|ed|ing|ment)?|mutilat(?:e|es|ed|ing|ion)',
          'disembowel(?:s|l?ed|l?ing)?|eviscerat(?:e|es|ed|ing|ion)|tortur(?:e|es|ed|ing)|flay(?:s|ed|ing)?|skinn(?:ed|ing) alive',
          'impal(?:e|es|ed|ing)|burn(?:ed|t|ing)? alive|electrocut(?:e|es|ed|ing)|lynch(?:ed|ing|ings)|crucify(?:ing)?',
        ),
        victims,
        5,
      ),
      has(
        words(
          'snuff (?:films?|videos?|movies?)|(?:extreme|graphic|realistic|real|brutal|bloody|excessive) gore|gore (?:porn|video)',
        ),
      ),
      has(words('severed (?:\\p{L}+ )?(?:heads?|limbs?|arms?|legs?|hands?|fingers?|genitals?)')),
      near(
        words('intestines|entrails|guts|innards|brains'),
        words('spill(?:s|ing|ed)?|ripped|torn|splatter(?:s|ed|ing)?|hanging out'),
        4,
      ),
    ),
  },
  {
    topic: 'instructions for weapons or for harming people',
    test: either(
      has(words(`(?:${howTo}) ${making} (?:an? |some |your own |the )?(?:${weapons})`)),
      has(words(`(?:${weapons}) (?:tutorial|instructions|recipe|building guide|making guide)`)),
      near(
        words(howTo),
        words(`(?:kill|murder|poison|strangle|stab|kidnap|rape|drug)(?:ing)? (?:an? |your |my |the )?(?:${people})`),
        3,
      ),
    ),
  },
  {
    topic: 'self-harm',
    test: either(
      near(
        words(howTo),
        words(
          'kill(?:ing)? (?:my|your)self|hang(?:ing)? (?:my|your)self|cut(?:ting)? (?:my|your)self|commit(?:ting)? suicide|suicide',
        ),
        3,
      ),
      has(words('(?:slit|slits|slitting|slash|slashing|cut|cuts|cutting) (?:her|his|their|my|your) (?:own )?wrists?')),
      has(
        words(
          'self[- ]?harm(?:ing)? (?:tutorial|tips|instructions|guide|scene|video)|(?:glorif(?:y|ies|ying)|promot(?:e|es|ing)) (?:suicide|self[- ]?harm|anorexia)',
        ),
      ),
      has(words('pro[- ]ana|thinspo(?:ration)?')),
    ),
  },
  {
    topic: 'hate or terror',
    test: either(
      has(
        words(
          `(?:kill|gas|exterminate|eradicate|murder|lynch|shoot|burn|hang) (?:all )?(?:the |every |those )?(?:${groups})(?<!women)`,
        ),
      ),
      has(
        words(
          `(?:${groups}) (?:should|must|deserve to) (?:all )?(?:die|be (?:killed|gassed|exterminated|shot|hanged))`,
        ),
      ),
      has(words('(?:sieg )?heil hitler|sieg heil|white power|gas the|race war now|hitler (?:was|is) (?:right|a hero)')),
      near(
        words('glorif(?:y|ies|ied|ying)|celebrat(?:e|es|ing)|prais(?:e|es|ing)'),
        words('hitler|nazis?|nazism|holocaust|genocide|terrorism|terrorists?|isis|mass shootings?'),
        3,
      ),
      near(
        words('isis|isil|al[- ]qaeda|islamic state|terrorists?|neo-?nazis?'),
        words('recruit(?:ment|ing)?|propaganda|execution(?:s)?'),
        4,
      ),
    ),
  },
]
