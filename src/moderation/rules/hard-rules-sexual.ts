// Hard rules on sexual content, English. Words that are innocent alone ("child", "naked") count only near other words.
import { either, has, near, type Rule, words } from './rule-parts.ts'

const ages =
  '(?:[1-9]|1[0-7]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)'

const minors = words(
  "child(?:ren)?(?:'s)?|kids?|kiddies?|toddlers?|infants?|newborns?|bab(?:y|ies)|minors?|juveniles?|adolescents?",
  'under[- ]?aged?|pre-?teens?|pre-?pubescent|pubescent|tweens?|teens?|teen-?age(?:d|rs?)?|loli(?:ta)?s?|shotas?',
  'school-?(?:girl|boy|child|kid)(?:s|ren)?|(?:little|small|young) (?:girl|boy|one|kid|daughter|son|sister|brother)s?',
  `${ages}[ -]?(?:years?|yrs?)?[ -]?(?:olds?|yo|y/o)`,
  `${ages} ?(?:yo|y/o|yrs?)`,
  `age[ds]?:?(?: of)? ${ages}`,
  `(?:looks?|looking|appears?|seems?)(?: \\p{L}+){0,3} ${ages}(?: years)?`,
  `(?:girl|boy|daughter|son|niece|nephew),? \\(?(?:[1-9]|1[0-7])\\)?`,
  '(?:[1-9](?:st|nd|rd|th)|10th|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)[ -]grade(?:rs?)?',
  'kindergart(?:en|eners?)|(?:elementary|primary|middle|junior high) school(?:ers?)?|(?:boy|girl) scouts?',
)

const sexual = words(
  'nudes?|nudity|naked|unclothed|undress(?:es|ed|ing)?|topless|bottomless|(?:without|no) (?:any )?cloth(?:es|ing)',
  'sex|sexy|sexual(?:ly|i[sz]ed|i[sz]ing)?|sexting|erotic(?:a|ally)?|porn(?:o|os|ographic|ography)?|nsfw|xxx|hentai',
  'orgasm(?:s|ic)?|orgy|masturbat(?:e|es|ing|ion)|fetish|lewd|horny|seductive(?:ly)?|seduc(?:e|es|ed|ing)|lingerie',
  'stripping|striptease|strips? naked|genitals?|penis|vagina|intercourse|blowjobs?|molest(?:s|ed|ing|ation)?',
  'see-through|inappropriate(?:ly)? touch(?:e[sd]|ing)?|touch(?:e[sd]|ing)?(?: \\p{L}+){0,3} inappropriately|crotch|thongs?',
  'skimpy|suggestive(?:ly)?|provocative(?:ly)?|lap[- ]?danc(?:e|es|ing)|pole[- ]?danc(?:e|es|ing)|twerk(?:s|ing)?|in (?:\\p{L}+ )?underwear',
  'passionate(?:ly)? kiss(?:es|ing)?|kiss(?:es|ing)?(?: \\p{L}+){0,5} passionately|french kiss(?:es|ing)?',
  'spread(?:s|ing)? (?:her|his|their) legs|fondl(?:e|es|ed|ing)|grop(?:es|ed|ing)|rap(?:e|es|ed|ing)|aroused|upskirt|panties|cum|fuck(?:s|ed|ing)?',
)

const adults =
  'wom[ae]n|m[ae]n|girls?|boys?|lad(?:y|ies)|couples?|people|persons?|actress(?:es)?|actors?|celebrit(?:y|ies)|(?:girl|boy)friend|body|bodies'
const garments =
  '(?:all )?(?:of )?(?:cloth(?:es|ing)|garments?|underwear|bra|panties|bikini|dress and underwear|swimsuit)'
const theirs = `(?:her|his|their|the (?:${adults})'s)`

export const sexualRules: Rule[] = [
  {
    topic: 'sexual content with minors',
    test: either(
      near(minors, sexual, 10),
      has('lolicon|shotacon|jailbait|p(?:a)?edo ?porn|pthc|(?:loli|shota) (?:art|girls?|boys?)'),
    ),
  },
  {
    topic: 'sexual violence',
    test: either(
      has('(?:gang[ -]?)?rap(?:es?|ed|ing|ists?)|molest(?:s|ed|ing|ation|ers?)?|necrophilia|incest(?:uous)?'),
      has('bestiality|zoophilia|sex (?:with|between) (?:an? )?(?:dogs?|horses?|animals?|corpses?)'),
      has('(?:non[ -]?consensual|forced|without (?:her|his|their) consent) (?:sex|intercourse|oral)'),
      has('sexual(?:ly)? (?:assault(?:s|ed|ing)?|abus(?:e|es|ed|ing)|tortur(?:e|es|ed|ing)|slav(?:e|es|ery))'),
      near(
        'drunk(?:en)?|unconscious|passed[- ]out|drugged|sleeping',
        'undress(?:es|ed|ing)?|strip(?:s|ped|ping)|sex|nude|naked|grop(?:es|ed|ing)',
        4,
      ),
      has('forc(?:e|es|ed|ing) (?:himself|herself|themselves) (?:up)?on'),
    ),
  },
  {
    topic: 'sexually explicit content',
    test: either(
      has('(?:having|have|has|had) (?:\\p{L}+ )?sex|(?:oral|anal|group|explicit|hardcore|live|rough) sex'),
      has('sex (?:scenes?|tapes?|acts?|toys?|slaves?|party|video|positions?)|sexual intercourse|nsfw|erotica'),
      has('porn(?:o|ographic|ography)?|(?:hardcore|explicit) adult (?:films?|videos?|movies?|content)|x-rated'),
      has(
        'spread(?:s|ing)? (?:her|his|their) legs|strip(?:s|ped|ping|per)?(?: \\p{L}+){0,2} (?:everything off|fully nude)',
      ),
      has('(?:full[ -])?frontal nud(?:e|ity)|touch(?:es|ing) (?:her|him)self (?:sexually|down there)'),
      near('nudes?|nudity|naked|topless|unclothed', adults, 3),
    ),
  },
  {
    topic: 'undressing people without their consent',
    test: either(
      has('nudif(?:y|ies|ied|ying)|undress (?:her|him|them|the|this)|deepnudes?'),
      near('faces?', '(?:on(?:to)?|into)(?: \\p{L}+){0,3} (?:nude|naked|porn)', 3),
      has('deep-?fakes? (?:porn|nudes?|sex)|make (?:her|him|them) (?:naked|nude)'),
      has(
        `(?:tak(?:e|es|ing)|remov(?:e|es|ing)|rip(?:s|ping)?|strip(?:s|ping)?|tear(?:s|ing)?)(?: off)? ${theirs} ${garments}`,
      ),
      has(`remov(?:e|es|ing) (?:all |the )?(?:cloth(?:es|ing)|garments) (?:from|of)`),
      near('her|him|them|she|he|they', `without (?:any |${theirs} )?${garments}`, 3),
    ),
  },
]
